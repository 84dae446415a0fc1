import type { Logger } from '../logger';
import type { Metrics } from '../metrics';

/** The SDK tries a refused poll again within ten seconds. After a longer silence, the server accepts the polls. */
const SILENCE_MS = 30_000;

/**
 * The polls of this process that the server refused (`RESOURCE_EXHAUSTED`), mostly because too many are open in the
 * namespace. Tasks then wait for minutes while the workers are idle, and no flow or activity learns about it
 * (docs/operations.md#polls).
 */
export class RefusedPolls {
  #until: NodeJS.Timeout | undefined;

  constructor(
    private readonly logger: Logger,
    private readonly metrics: Pick<Metrics, 'pollRefused'>,
  ) {}

  /** Whether the server refused one within the last 30 s. */
  get any(): boolean {
    return this.#until !== undefined;
  }

  /** The server refused a poll. Only the first one of a series is logged. */
  readonly add = (): void => {
    this.metrics.pollRefused();
    if (!this.#until)
      this.logger.error(
        { remedy: 'raise the limit of the server or run fewer processes: docs/operations.md#polls' },
        'Temporal refuses polls of this process, because a limit of the server is reached. Tasks wait for minutes',
      );
    clearTimeout(this.#until);
    this.#until = setTimeout(() => {
      this.#until = undefined;
      this.logger.info('Temporal accepts all polls of this process again');
    }, SILENCE_MS).unref();
  };
}
