/**
 * Checks responses against the declarations of the packages. responses.ts names the types, the TypeScript compiler resolves
 * them from the packages' .d.ts files to JSON schemas, and ajv validates the responses.
 */

const path = require('node:path');
const Ajv = require('ajv/dist/2019').default;
const ts = require('typescript');
const { buildGenerator } = require('typescript-json-schema');

const RESPONSES = path.join(__dirname, 'responses.ts');
/** @type {import('typescript').CompilerOptions} */
const COMPILER = {
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  moduleResolution: ts.ModuleResolutionKind.Node16,
  lib: ['lib.es2022.d.ts'],
  types: [],
};
/** The generator would read `@type {string}` in a comment as part of the schema, so comments are removed. */
const DOCUMENTATION = /\/\*\*[\s\S]*?\*\//g;

/** @returns {(sdk: string, method: string, response: unknown) => { wrong: string[], undeclared: string[] }} */
function readDeclarations() {
  const generator = buildGenerator(compile(), { required: true, ignoreErrors: true });
  const ajv = new Ajv({ allErrors: true, strict: false });
  const validators = new Map();
  const validatorOf = (sdk) => {
    if (!validators.has(sdk)) {
      const { properties, definitions } = closed(generator.getSchemaForSymbol(sdk));
      validators.set(sdk, { methods: Object.keys(properties), validate: ajv.compile({ properties, definitions }) });
    }
    return validators.get(sdk);
  };
  return (sdk, method, response) => {
    const { methods, validate } = validatorOf(sdk);
    if (!methods.includes(method)) {
      const empty = response === undefined || response === '';
      return { wrong: empty ? [] : ['no body is declared'], undeclared: [] };
    }
    validate({ [method]: withoutNulls(response) });
    const errors = validate.errors ?? [];
    const where = ({ instancePath }) => instancePath.split('/').slice(2).join('.').replace(/\.\d+/g, '[]');
    const isExtra = ({ keyword }) => keyword === 'unevaluatedProperties';
    return {
      wrong: errors.filter((error) => !isExtra(error)).map((error) => `${where(error)} ${error.message}`.trim()),
      undeclared: errors.filter(isExtra).map((error) => `${where(error)}.${error.params.unevaluatedProperty}`),
    };
  };
}

function compile() {
  const host = ts.createCompilerHost(COMPILER);
  const readFile = host.readFile.bind(host);
  host.readFile = (file) => readFile(file)?.replace(DOCUMENTATION, '');
  const program = ts.createProgram([RESPONSES], COMPILER, host);
  const problems = program.getSemanticDiagnostics(program.getSourceFile(RESPONSES));
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, host));
  return program;
}

/** The live API sends null for optional fields that it has no value for. No declared type says so. */
function withoutNulls(json) {
  if (Array.isArray(json)) return json.map(withoutNulls);
  if (typeof json !== 'object' || json === null) return json;
  const fields = Object.entries(json).filter(([, value]) => value !== null);
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutNulls(value)]));
}

/** Closes every object of a schema, so that undeclared fields are reported as well. */
function closed(schema) {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  for (const [name, value] of Object.entries(schema.properties ?? {})) inner.properties[name] = closedUse(value);
  if (schema.items) inner.items = closedUse(schema.items);
  return inner;
}

function closedUse(schema) {
  const isObject = schema.$ref || schema.allOf || schema.anyOf || schema.properties;
  return isObject ? { ...closed(schema), unevaluatedProperties: false } : closed(schema);
}

module.exports = { readDeclarations };
