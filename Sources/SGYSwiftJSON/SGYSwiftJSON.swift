// The documented API of SGYSwiftJSON, on JSONSift: plain Swift models to JSON and back, by protocols and reflection.
//
// It exports its own names alone. Those of JSONSift, whose values, paths and streams models can come from, need
// `import JSONSift`: so a program may have a `JSON` or a `JSONPath` of its own. Scripts/check-dropin compiles such a program.
