/** How a command ends, for scripts. */
export const EXIT = {
  done: 0,
  /** The API, a flow or a check said no; or a bug. */
  refused: 1,
  /** The command line, an input, the configuration or the installation has to be mended first. */
  usage: 2,
  /** Temporal, its workers or the API did not answer: the same command may work later. */
  unreachable: 3,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_CODES_HELP = `
Exit codes:
  0  done
  1  refused or failed
  2  command line, input, configuration or installation has to be mended
  3  Temporal, its workers or the API did not answer; try again later`;
