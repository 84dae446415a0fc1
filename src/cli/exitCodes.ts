/** Exit codes, for scripts. */
export const EXIT = {
  done: 0,
  /** The API, a flow or a check refused the operation, or the command has a bug. */
  refused: 1,
  /** The command line, the input, the configuration or the installation needs a fix first. */
  usage: 2,
  /** Temporal, its workers or the API did not respond. The same command may work later. */
  unreachable: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_CODES_HELP = `
Exit codes:
  0  done
  1  refused or failed
  2  fix the command line, the input, the configuration or the installation
  3  Temporal, its workers or the API did not respond; try again later`;
