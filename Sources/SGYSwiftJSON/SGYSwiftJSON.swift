// The documented API of SGYSwiftJSON on top of JSONSift: converts plain Swift models to JSON and back, by protocols and
// reflection.
//
// The module exports only its own names. JSONSift's values, paths and streams, from which models can be created, need
// `import JSONSift`, so a program may declare its own `JSON` or `JSONPath`. Scripts/check consumers compiles such a
// program.
