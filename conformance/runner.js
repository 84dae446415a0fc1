/**
 * Goes through the steps of an SDK, in their order. A step is a method of its client:
 *
 *   given    prepares the world and returns what it found, which later steps may use as well
 *   with     the arguments, of what is known
 *   status   of the answer, 200 if not told
 *   expect   more about the answer than its declared type says: name → [got, wanted]
 *   keep     what later steps may use
 *   made     the SDK makes the answer up of what it got: no declared type of the API's to hold it against
 *   refused  refusals: `code` and HTTP `status`, and what makes it one: the same call again, `change` of its first
 *            argument, other arguments (`with`), another `client`, or what is `given` before; `after` undoes that
 *
 * `never` has the methods without an endpoint, by the reason for it.
 */

const { randomUUID } = require('node:crypto');

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]{64}/g;

async function run(sdk, known, declared, report) {
  for (const [name, step] of Object.entries(sdk.steps)) {
    await report.method(name, (checks) => runStep(sdk, name, step, known, declared, checks));
  }
  for (const [reason, names] of Object.entries(sdk.never)) report.skipped(reason, names);
  const listed = [...Object.keys(sdk.steps), ...Object.values(sdk.never).flat()];
  const methods = methodsOf(known.client);
  const forgotten = methods.filter((name) => !listed.includes(name));
  const unknown = listed.filter((name) => !methods.includes(name));
  report.check(forgotten.length === 0 ? undefined : `not in the table: ${forgotten.join(', ')}`);
  report.check(unknown.length === 0 ? undefined : `no method of the client: ${unknown.join(', ')}`);
}

async function runStep(sdk, name, step, known, declared, checks) {
  Object.assign(known, await step.given?.(known));
  const args = (await step.with?.(known)) ?? [];
  const done = await attempt(sdk, known, () => known.client[name](...args));
  let shown;
  if (done.error) {
    checks.fail(`refused: ${described(sdk.errorOf(done.error, known))}`);
  } else {
    const { status, answer, request } = done.value;
    checks.equal('status', status, step.status ?? 200);
    if (!step.made) checks.declared(declared(sdk.declared, name, answer));
    const expected = (await step.expect?.(answer, known, args)) ?? {};
    for (const [what, [got, wanted]] of Object.entries(expected)) checks.equal(what, got, wanted);
    Object.assign(known, await step.keep?.(answer, known, args));
    shown = `${request.replace(ID, '{id}')} ${status}`;
  }
  for (const refusal of step.refused) await runRefusal(sdk, name, refusal, known, args, checks);
  return `${shown ?? ''} · refused ${step.refused.map(({ code }) => code).join(', ')}`;
}

async function runRefusal(sdk, name, refusal, known, args, checks) {
  const { code, status } = refusal;
  Object.assign(known, await refusal.given?.(known));
  const others = await argumentsOf(refusal, known, args);
  const client = known[refusal.client ?? 'client'];
  const { error } = await attempt(sdk, known, () => client[name](...others));
  await refusal.after?.(known);
  checks.refusals += 1;
  if (!error) return checks.fail(`accepted, ${code} was expected`);
  const kind = refusal.kind ?? sdk.kindOf(code, status);
  checks.equal('refusal', described(sdk.errorOf(error, known)), described({ code, status, kind }));
}

async function argumentsOf(refusal, known, args) {
  if (refusal.with) return refusal.with(known, args);
  if (!refusal.change) return args;
  const change = typeof refusal.change === 'function' ? refusal.change(known) : refusal.change;
  const fresh = args[0].idempotencyKey === undefined ? {} : { idempotencyKey: randomUUID() };
  return [{ ...args[0], ...fresh, ...change }, ...args.slice(1)];
}

async function attempt(sdk, known, call) {
  try {
    return { value: sdk.answerOf(await call(), known) };
  } catch (error) {
    return { error };
  }
}

function described({ code, status, kind }) {
  return `${code} with HTTP status ${status} as ${kind}`;
}

/** All that the client's class and the classes above it have. */
function methodsOf(client) {
  const names = new Set();
  for (let type = Object.getPrototypeOf(client); type !== Object.prototype; type = Object.getPrototypeOf(type)) {
    for (const name of Object.getOwnPropertyNames(type)) names.add(name);
  }
  names.delete('constructor');
  return [...names];
}

module.exports = { run };
