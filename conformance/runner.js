/**
 * Runs the steps of an SDK in order. Each step is a method of its client. All steps share a context:
 *
 *   setup     prepares the world and returns values for the context
 *   args      returns the arguments of the call, from the context
 *   status    expected status of the response; default 200
 *   expect    more checks of the response: name → [actual, expected]
 *   save      returns values of the response for the context
 *   computed  the SDK computes the response itself, so it is not checked against a declared type
 *   errors    error cases with `code` and HTTP `status`. By default the same call is repeated; `change` changes its first
 *             argument, `args` replaces all arguments, `client` names another client of the context, and `setup` prepares
 *             the world, which `cleanup` undoes
 *
 * `skipped` lists the methods without an endpoint, by reason.
 */

const { randomUUID } = require('node:crypto');

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]{64}/g;

async function run(sdk, context, declared, report) {
  for (const [name, step] of Object.entries(sdk.steps)) {
    await report.method(name, (checks) => runStep(sdk, name, step, context, declared, checks));
  }
  for (const [reason, names] of Object.entries(sdk.skipped)) report.skipped(reason, names);
  const listed = [...Object.keys(sdk.steps), ...Object.values(sdk.skipped).flat()];
  const methods = methodsOf(context.client);
  const forgotten = methods.filter((name) => !listed.includes(name));
  const unknown = listed.filter((name) => !methods.includes(name));
  report.check(forgotten.length === 0 ? undefined : `not in the table: ${forgotten.join(', ')}`);
  report.check(unknown.length === 0 ? undefined : `not methods of the client: ${unknown.join(', ')}`);
}

async function runStep(sdk, name, step, context, declared, checks) {
  Object.assign(context, await step.setup?.(context));
  const args = (await step.args?.(context)) ?? [];
  const result = await attempt(sdk, context, () => context.client[name](...args));
  let shown;
  if (result.error) {
    checks.fail(`failed: ${described(sdk.errorOf(result.error, context))}`);
  } else {
    const { status, response, request } = result.value;
    checks.equal('status', status, step.status ?? 200);
    if (!step.computed) checks.declared(declared(sdk.declared, name, response));
    const expectations = (await step.expect?.(response, context, args)) ?? {};
    for (const [what, [actual, expected]] of Object.entries(expectations)) checks.equal(what, actual, expected);
    Object.assign(context, await step.save?.(response, context, args));
    shown = `${request.replace(ID, '{id}')} ${status}`;
  }
  for (const errorCase of step.errors) await runErrorCase(sdk, name, errorCase, context, args, checks);
  return `${shown ?? ''} · refused ${step.errors.map(({ code }) => code).join(', ')}`;
}

async function runErrorCase(sdk, name, errorCase, context, args, checks) {
  const { code, status } = errorCase;
  Object.assign(context, await errorCase.setup?.(context));
  const changedArgs = await argumentsOf(errorCase, context, args);
  const client = context[errorCase.client ?? 'client'];
  const { error } = await attempt(sdk, context, () => client[name](...changedArgs));
  await errorCase.cleanup?.(context);
  checks.errorCases += 1;
  if (!error) return checks.fail(`succeeded, but ${code} was expected`);
  const kind = errorCase.kind ?? sdk.kindOf(code, status);
  checks.equal('error', described(sdk.errorOf(error, context)), described({ code, status, kind }));
}

async function argumentsOf(errorCase, context, args) {
  if (errorCase.args) return errorCase.args(context, args);
  if (!errorCase.change) return args;
  const change = typeof errorCase.change === 'function' ? errorCase.change(context) : errorCase.change;
  const fresh = args[0].idempotencyKey === undefined ? {} : { idempotencyKey: randomUUID() };
  return [{ ...args[0], ...fresh, ...change }, ...args.slice(1)];
}

async function attempt(sdk, context, call) {
  try {
    return { value: sdk.responseOf(await call(), context) };
  } catch (error) {
    return { error };
  }
}

function described({ code, status, kind }) {
  return `${code} with HTTP status ${status} as ${kind}`;
}

/** All methods of the client's class and its superclasses. */
function methodsOf(client) {
  const names = new Set();
  for (let type = Object.getPrototypeOf(client); type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    for (const name of Object.getOwnPropertyNames(type)) names.add(name);
  }
  names.delete('constructor');
  return [...names];
}

module.exports = { run };
