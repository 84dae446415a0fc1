/** Moves the cursor up by `rows` and clears everything below it. */
const clearRowsAbove = (rows: number) => `\x1b[${rows}A\r\x1b[J`;
const DEFAULT_COLUMNS = 80;

/** Lines at the bottom of a terminal that each render replaces. */
export class LiveOutput {
  #rows = 0;

  constructor(
    private readonly out: (line: string) => void,
    private readonly columns: () => number = () => process.stdout.columns ?? DEFAULT_COLUMNS,
  ) {}

  render(lines: readonly string[]): void {
    this.out((this.#rows > 0 ? clearRowsAbove(this.#rows) : '') + lines.join('\n'));
    // The terminal wraps long lines.
    this.#rows = lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / this.columns())), 0);
  }
}
