/** Counts checks and prints a line for each method, followed by its failures. */

const MIN_ERROR_CASES = 2;

class Report {
  methods = 0;
  checks = 0;
  failed = 0;
  /** The methods that returned an undeclared field, by field. @type {Map<string, Set<string>>} */
  undeclared = new Map();

  heading(text) {
    console.log(`\n${text}`);
  }

  /** Runs the checks of one SDK method. `runChecks` returns the text to show. */
  async method(name, runChecks) {
    this.methods += 1;
    const checks = new Checks();
    const shown = await runChecks(checks).catch((error) => checks.fail(`aborted: ${error.message}`));
    if (checks.errorCases < MIN_ERROR_CASES)
      checks.fail(`has ${checks.errorCases} error cases, but needs at least ${MIN_ERROR_CASES}`);
    this.checks += checks.count;
    this.failed += checks.failures.length;
    console.log(`${checks.failures.length === 0 ? '✔' : '✘'} ${name.padEnd(40)} ${shown ?? ''}`.trimEnd());
    for (const failure of checks.failures) console.log(`    ${failure}`);
    for (const field of checks.undeclared) this.#addUndeclared(field, name);
  }

  /** One check that belongs to no method. */
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
      console.log(`undeclared field: ${field} (${[...methods].join(', ')})`);
    console.log(`${this.methods} methods · ${this.checks} checks · ${this.checks - this.failed} passed`);
  }

  #addUndeclared(field, method) {
    const methods = this.undeclared.get(field) ?? new Set();
    this.undeclared.set(field, methods.add(method));
  }
}

/** The checks of one method. */
class Checks {
  count = 0;
  errorCases = 0;
  failures = [];
  undeclared = [];

  equal(what, actual, expected) {
    this.count += 1;
    if (!Object.is(actual, expected)) this.failures.push(`${what}: expected ${expected}, got ${actual}`);
  }

  /** Checks a response against its declared type. */
  declared({ wrong, undeclared }) {
    this.equal('declared type', wrong.join('; ') || 'valid', 'valid');
    this.undeclared.push(...undeclared);
  }

  fail(failure) {
    this.count += 1;
    this.failures.push(failure);
  }
}

module.exports = { Report };
