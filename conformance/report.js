/** Counts checks, and prints a line for each method with what went wrong below it. */

const LEAST_REFUSALS = 2;

class Report {
  methods = 0;
  checks = 0;
  failed = 0;
  /** Fields by where they were seen. @type {Map<string, Set<string>>} */
  undeclared = new Map();

  heading(text) {
    console.log(`\n${text}`);
  }

  /** A method of an SDK: `look` makes its checks. */
  async method(name, look) {
    this.methods += 1;
    const seen = new Checks();
    const shown = await look(seen).catch((error) => seen.fail(`not reached: ${error.message}`));
    if (seen.refusals < LEAST_REFUSALS) seen.fail(`refused ${seen.refusals} times, ${LEAST_REFUSALS} are needed`);
    this.checks += seen.count;
    this.failed += seen.failures.length;
    console.log(`${seen.failures.length === 0 ? '✔' : '✘'} ${name.padEnd(40)} ${shown ?? ''}`.trimEnd());
    for (const failure of seen.failures) console.log(`    ${failure}`);
    for (const field of seen.undeclared) this.#note(field, name);
  }

  /** Something that has no method: one check. */
  check(failure) {
    this.checks += 1;
    if (failure === undefined) return;
    this.failed += 1;
    console.log(`✘ ${failure}`);
  }

  skipped(reason, methods) {
    console.log(`– ${reason}: ${methods.join(', ')}`);
  }

  summary() {
    for (const [field, methods] of this.undeclared)
      console.log(`answered, not declared: ${field} (${[...methods].join(', ')})`);
    console.log(`${this.methods} methods · ${this.checks} checks · ${this.checks - this.failed} passed`);
  }

  #note(field, method) {
    const methods = this.undeclared.get(field) ?? new Set();
    this.undeclared.set(field, methods.add(method));
  }
}

/** The checks of one method. */
class Checks {
  count = 0;
  refusals = 0;
  failures = [];
  undeclared = [];

  equal(what, got, wanted) {
    this.count += 1;
    if (!Object.is(got, wanted)) this.failures.push(`${what}: ${wanted} was expected, got ${got}`);
  }

  /** What the declared type has to say of an answer. */
  declared({ wrong, undeclared }) {
    this.equal('declared type', wrong.join('; ') || 'held', 'held');
    this.undeclared.push(...undeclared);
  }

  fail(failure) {
    this.count += 1;
    this.failures.push(failure);
  }
}

module.exports = { Report };
