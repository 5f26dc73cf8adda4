# check spark [JSIFT]: tests Integrations/spark with Spark and Sail on this machine. Installs Spark into .build/spark and Sail
# into .build/sail from the Python package index (1.5 GB of disk), and Java 17 if it is missing and this is Debian or Ubuntu.
#
# Runs the tests in one Java process (local), in a standalone cluster of a master and two workers on loopback, and with Sail.
# The standalone cluster has speculation, and is stopped at the end. The first and the others run side by side.
#
# JSIFT is the program, built with the trait Compression (default: .build/debug/jsift). JSONSIFT_SPARK_ENGINES selects engines
# (local standalone sail; cluster is Spark's cluster inside one machine, local-cluster).

find_tool spark "${1-.build/debug/jsift}"
export JSIFT=$tool

# MARK: What is needed

if [ "$(uname -s)" != Linux ]; then
  skip spark "the tests look for processes in /proc"
  exit 0
fi
engines=${JSONSIFT_SPARK_ENGINES-local standalone sail}
has_spark=
if [ "$engines" != sail ]; then
  if ! command -v java >/dev/null && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    mkdir -p .build
    { apt-get update && apt-get install -y --no-install-recommends openjdk-17-jre-headless; } >.build/java.log 2>&1 || true
  fi
  if ! java -version >/dev/null 2>&1; then
    skip spark "Java 17 is missing; on Debian the package openjdk-17-jre-headless"
  elif python_environment spark .build/spark 10 'pyspark~=4.3.0' pyarrow 'pandas<3' pytest; then
    has_spark=1
  fi
fi

# MARK: The cluster

logs=.build/spark-logs
mkdir -p "$logs"
work=$(mktemp -d)
started=()
finish() {
  local pid
  for pid in ${started[@]+"${started[@]}"}; do kill "$pid" 2>/dev/null || true; done
  for pid in ${started[@]+"${started[@]}"}; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap finish EXIT

# start NAME CLASS ARGUMENT...: starts a process of Spark. The package has spark-class, but not the scripts in sbin.
start() {
  local name=$1
  shift
  "$spark_home/bin/spark-class" "$@" >"$logs/$name.log" 2>&1 &
  started+=($!)
}

# wait_for TEXT FILE COUNT: waits at most a minute until a file contains a text.
wait_for() {
  local tries=0
  while [ ! -f "$2" ] || [ "$(grep -c "$1" "$2" || true)" -lt "$3" ]; do
    tries=$((tries + 1))
    if [ "$tries" -gt 600 ]; then
      tail -n 20 "$2" >&2
      echo "spark: expected '$1' in $2" >&2
      return 1
    fi
    sleep 0.1
  done
}

start_cluster() {
  local port host
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  start master org.apache.spark.deploy.master.Master --host 127.0.0.1 --port "$port" --webui-port 0
  wait_for 'New state: ALIVE' "$logs/master.log" 1
  # Spark runs the second attempt of a slow task on another host only.
  for host in 127.0.0.1 127.0.0.2; do
    SPARK_LOCAL_IP=$host start "worker-$host" org.apache.spark.deploy.worker.Worker --host "$host" --webui-port 0 \
      --cores 2 --memory 1g --work-dir "$work/$host" "spark://127.0.0.1:$port"
  done
  wait_for 'Registering worker' "$logs/master.log" 2
  master=spark://127.0.0.1:$port
}

# MARK: The tests

# tests ENGINE ENVIRONMENT ARGUMENT...: runs tests. A cluster gives up executors and tasks that are late, so on a machine that
# is busy with other work a right answer can fail: an engine that fails is tested once more, and the output says so.
tests() {
  local name=$1
  echo "spark: $name"
  run_tests "$@" && return 0
  echo "spark: $name failed, and is tested once more"
  run_tests "$@"
}

run_tests() {
  local name=$1 python=$PWD/.build/$2/bin/python
  shift 2
  (
    cd Integrations/spark
    PYTHONPATH=$PWD/src PYTHONDONTWRITEBYTECODE=1 exec "$python" -m pytest -q -p no:cacheprovider --basetemp "$work/$name" \
      --durations 3 "$@"
  )
}

# test_spark: Spark in one Java process, and in a cluster inside of it.
test_spark() {
  local status=0
  case " $engines " in *' local '*) JSONSIFT_SPARK_ENGINE=local tests local spark || status=1 ;; esac
  case " $engines " in
  *' cluster '*) JSONSIFT_SPARK_ENGINE=cluster tests local-cluster spark tests/test_equality.py || status=1 ;;
  esac
  return "$status"
}

# test_others: Spark's cluster of several processes, and Sail.
test_others() {
  local status=0
  if [ -n "$master" ]; then
    JSONSIFT_SPARK_ENGINE=$master tests standalone spark tests/test_faults.py tests/test_equality.py || status=1
  fi
  if [ -n "$has_sail" ]; then
    JSONSIFT_SPARK_ENGINE=sail tests sail sail tests/test_{equality,modes,pushdown,faults}.py || status=1
  fi
  return "$status"
}

master='' has_sail=''
case " $engines " in
*' sail '*)
  # Sail supports a version of Spark's client, which is another than that of the newest Spark.
  if python_environment spark .build/sail 10 pysail 'pyspark-client~=4.2.0' pyarrow 'pandas<3' pytest; then has_sail=1; fi
  ;;
esac
# Most of the time Spark waits, so both halves run at a time. The first one's output is printed when it has ended.
first=''
if [ -n "$has_spark" ]; then
  spark_home=$(.build/spark/bin/python -c 'import pyspark; print(pyspark.__path__[0])')
  export SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON=$PWD/.build/spark/bin/python
  case " $engines " in *' standalone '*) start_cluster ;; esac
  test_spark >"$logs/local.txt" 2>&1 &
  first=$!
fi
status=0
test_others || status=1
if [ -n "$first" ]; then
  wait "$first" || status=1
  cat "$logs/local.txt"
fi
if [ "$status" -ne 0 ]; then
  echo "spark: failed after $SECONDS s" >&2
  exit 1
fi
echo "spark: all is well after $SECONDS s"
