# What the scripts of this folder share; they source it.

# skip NAME WHY: says that a check did not run, and adds a line to the file that JSONSIFT_SKIPS names, if it does.
# Scripts/test lists these lines, and fails on them in the full tier.
skip() {
  local name=$1
  shift
  echo "$name: $*"
  if [ -n "${JSONSIFT_SKIPS-}" ]; then echo "$name: $*" >>"$JSONSIFT_SKIPS"; fi
}
