"""A Spark data source that reads JSON records with jsift."""

from .process import JSONSiftError
from .schema import SchemaError
from .source import BadRecordError, JSONSiftDataSource, load, register

__all__ = ["BadRecordError", "JSONSiftDataSource", "JSONSiftError", "SchemaError", "load", "register"]
