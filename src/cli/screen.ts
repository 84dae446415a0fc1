/** Up so many rows, then everything below away. */
const up = (rows: number) => `\x1b[${rows}A\r\x1b[J`;
const DEFAULT_COLUMNS = 80;

/** Lines at the bottom of a terminal that are drawn anew in their place. */
export class Screen {
  #rows = 0;

  constructor(
    private readonly out: (line: string) => void,
    private readonly columns: () => number = () => process.stdout.columns ?? DEFAULT_COLUMNS,
  ) {}

  draw(lines: readonly string[]): void {
    this.out((this.#rows > 0 ? up(this.#rows) : '') + lines.join('\n'));
    // The terminal breaks long lines.
    this.#rows = lines.reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / this.columns())), 0);
  }
}
