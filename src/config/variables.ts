/** The processes that read a variable, as the document shows them. */
const READERS = {
  worker: 'worker',
  backend: 'backend',
  gateway: 'gateway',
  setup: 'setup',
  clients: 'worker, backend',
  servers: 'worker, gateway',
  all: 'worker, gateway, backend',
} as const;
type Reader = keyof typeof READERS;

export interface Variable {
  readBy: Reader;
  required: 'yes' | 'no' | 'worker';
  /** What applies if the variable is not set. */
  default?: string;
  /** One sentence, Markdown. */
  meaning: string;
}

/** Every variable of Walletflow. `docs/configuration.md` shows this table. A `WALLETFLOW_` variable outside it is an error. */
export const VARIABLES = {
  WALLETFLOW_ENTITIES_FILE: {
    readBy: 'all',
    required: 'worker',
    meaning: 'File with the entities: name, kind, hosts, chains, and the files with their secrets.',
  },
  WALLETFLOW_ENTITY: {
    readBy: 'backend',
    required: 'no',
    default: 'the only one in the entities file',
    meaning: 'Name of the entity whose flows a backend or command starts and reads.',
  },
  WALLETFLOW_LIVE: {
    readBy: 'servers',
    required: 'no',
    meaning: 'Names of the entities that may call the API with a live key, separated by commas.',
  },
  WALLETFLOW_KEY_RING_FILE: {
    readBy: 'all',
    required: 'yes',
    meaning:
      'File with the keys that encrypt the data in Temporal, and the identity key that idempotency keys are derived from.',
  },
  WALLETFLOW_SEALING_KEYS_FILE: {
    readBy: 'clients',
    required: 'yes',
    meaning:
      'File with the keys that seal secrets and personal data. Backends get its public part, workers the complete file.',
  },
  WALLETFLOW_IDENTITY_FILE: {
    readBy: 'worker',
    required: 'no',
    default: 'anyone may start, and no one may decide, provide or cancel',
    meaning: 'File with the issuers whose tokens identify who starts a flow or sends it a message.',
  },
  WALLETFLOW_LOCAL_ISSUER_FILE: {
    readBy: 'backend',
    required: 'no',
    meaning: 'File with the private key of a local issuer, with which commands create their tokens. For development.',
  },
  WALLETFLOW_POLICIES_FILE: {
    readBy: 'worker',
    required: 'no',
    default: 'the built-in `default@1`',
    meaning: 'File with the policies of flows.',
  },
  WALLETFLOW_API_SHARE: {
    readBy: 'worker',
    required: 'no',
    default: '1',
    meaning:
      'Share of each rate limit of the API that this process may use, greater than 0 and at most 1. The shares of all ' +
      'processes with the same entity must not exceed 1 in total, including both generations of a rolling deploy.',
  },
  WALLETFLOW_GATEWAY_ADDRESS: {
    readBy: 'gateway',
    required: 'no',
    default: '127.0.0.1:8090',
    meaning: 'Address where the gateway receives webhooks, as `host:port`; port 0 picks a free one.',
  },
  WALLETFLOW_GATEWAY_URL: {
    readBy: 'setup',
    required: 'no',
    meaning:
      'Origin at which the API reaches the gateway, such as `https://hooks.example.com`. `walletflow setup` subscribes ' +
      '`<origin>/webhooks/<entity>`. Without it, flows poll.',
  },
  WALLETFLOW_HEALTH_ADDRESS: {
    readBy: 'servers',
    required: 'no',
    default: '127.0.0.1:9464',
    meaning: 'Address of `/healthz`, `/readyz` and `/metrics`, as `host:port`; port 0 picks a free one.',
  },
  WALLETFLOW_SHUTDOWN_GRACE: {
    readBy: 'worker',
    required: 'no',
    default: '30 seconds',
    meaning:
      'How long running activities may take to finish after SIGTERM. Must be longer than the 20 seconds of an HTTP request.',
  },
  WALLETFLOW_LOG_LEVEL: {
    readBy: 'all',
    required: 'no',
    default: 'info',
    meaning: 'Lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error` or `silent`.',
  },
} as const satisfies Record<string, Variable>;

export type VariableName = keyof typeof VARIABLES;
export type Role = 'backend' | 'worker' | 'gateway';

export const VARIABLE_NAMES = Object.keys(VARIABLES) as VariableName[];

/** Markdown table of all variables, for `docs/configuration.md`. */
export function variablesTable(): string {
  const required = { yes: 'required', worker: 'required for workers and gateway' };
  const rows = Object.entries<Variable>(VARIABLES).map(
    ([name, { readBy, default: fallback, meaning, ...variable }]) => {
      const unset = fallback ?? (variable.required === 'no' ? 'none' : required[variable.required]);
      return `| \`${name}\` | ${READERS[readBy]} | ${unset} | ${meaning} |`;
    },
  );
  return ['| Variable | Read by | Not set | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}
