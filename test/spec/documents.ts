import { answerAgain, CALLER_LOOK_UPS, type CallerLookUp, type CallerOperation } from '../../src/api/callerLookUps';
import { AREAS, findEndpoint, MUTATING_OPERATIONS, type OperationId } from '../../src/api/contract';
import { type Auth, type Endpoint, fullPath, type Idempotency, LIMITS } from '../../src/api/contract/endpoint';
import type { ApiErrorEntry } from '../../src/api/errors';
import { AUTH_CONFIGURATION_ERRORS } from '../../src/api/errors/catalogue/authConfiguration';
import { CONTRACT_DUPLICATES } from '../../src/api/errors/catalogue/contractDuplicates';
import { CONTRACT_ERRORS } from '../../src/api/errors/catalogue/contracts';
import { GENERAL_ERRORS } from '../../src/api/errors/catalogue/general';
import { RAMP_ERRORS } from '../../src/api/errors/catalogue/ramp';
import { SCREENING_ERRORS } from '../../src/api/errors/catalogue/screening';
import { SHARED_ERRORS } from '../../src/api/errors/catalogue/shared';
import { SIGNING_ERRORS } from '../../src/api/errors/catalogue/signing';
import { TRANSACTION_ERRORS } from '../../src/api/errors/catalogue/transaction';
import { USER_ERRORS } from '../../src/api/errors/catalogue/user';
import { WALLET_ERRORS } from '../../src/api/errors/catalogue/wallet';
import { WALLET_SET_ERRORS } from '../../src/api/errors/catalogue/walletSet';
import { API_ACTIVITIES, type FlowEffect } from '../../src/domain/activityTable';
import { LOOK_UPS, type LookUp } from '../../src/domain/lookUps';
import { ERROR_CODE_CASES } from '../emulator/errorCodes';
import { ALL_ENDPOINTS, CODES, ENDPOINTS, NAMES, unnamed } from './tables';

/**
 * The generated parts of docs/endpoints.md, docs/errors.md and docs/exactly-once.md: Markdown tables with one line per row, so that changes
 * merge.
 */

const SPEC_ENDPOINTS = new Set(ALL_ENDPOINTS);
const CAUSE_BY_CODE = new Map(
  Object.values(ERROR_CODE_CASES)
    .flat()
    .map(({ code, cause }) => [code, cause] as const),
);

const AUTH: Readonly<Record<Auth, string>> = {
  none: '',
  apiKey: 'key',
  entitySecret: 'key, secret',
  userToken: 'key, user token',
  optionalUserToken: 'key, optional user token',
};
const IDEMPOTENCY_TEXTS: Readonly<Record<Idempotency, string>> = {
  key: 'key',
  natural: 'finds or refuses',
  repeatable: 'harmless',
  none: 'repeats the effect',
};

const CATALOGUE: Readonly<Record<string, readonly ApiErrorEntry[]>> = {
  General: GENERAL_ERRORS,
  Users: USER_ERRORS,
  'Authentication configuration': AUTH_CONFIGURATION_ERRORS,
  Transactions: TRANSACTION_ERRORS,
  Wallets: WALLET_ERRORS,
  'Wallet sets': WALLET_SET_ERRORS,
  Signing: SIGNING_ERRORS,
  'Several areas': SHARED_ERRORS,
  Contracts: CONTRACT_ERRORS,
  'Contracts, conditions of other areas': CONTRACT_DUPLICATES,
  Screening: SCREENING_ERRORS,
  Ramp: RAMP_ERRORS,
};

export function endpointsDocument(): string {
  const implemented = new Set(
    Object.values(AREAS)
      .flatMap((area) => Object.values(area) as Endpoint[])
      .map(specName),
  );
  const coverage = Object.entries(ENDPOINTS).map(([name, endpoints]): Row => {
    const found = endpoints.filter((endpoint) => implemented.has(unnamed(endpoint)));
    return [name, endpoints.length, found.length];
  });
  return [
    table(['Specification table', 'Endpoints', 'Implemented'], withSums(coverage)),
    ...Object.entries(AREAS).map(([area, endpoints]) =>
      [
        `## ${area}`,
        table(
          ['Operation', 'Request', 'Credentials', 'Per second', 'Sent again', 'Codes', 'Spec', 'Summary'],
          Object.keys(endpoints).map((id) => endpointRow(id as OperationId)),
        ),
      ].join('\n\n'),
    ),
  ].join('\n\n');
}

function endpointRow(id: OperationId): Row {
  const endpoint = findEndpoint(id);
  const {
    method,
    path,
    aliases = [],
    auth,
    limit,
    idempotency,
    errors = [],
    rules = [],
    deprecated,
    summary,
  } = endpoint;
  const codes = [...new Set([...rules.map(([code]) => code), ...errors])].toSorted((a, b) => a - b);
  return [
    `\`${id}\``,
    [fullPath(path), ...aliases].map((each) => `\`${method} ${each}\``).join('<br>'),
    AUTH[auth],
    LIMITS[limit] === Infinity ? 'no limit' : LIMITS[limit],
    IDEMPOTENCY_TEXTS[idempotency],
    codes.join(' '),
    SPEC_ENDPOINTS.has(specName(endpoint)) ? '✓' : '',
    deprecated ? `Deprecated. ${summary}` : summary,
  ];
}

const specName = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => unnamed(`${method} ${path}`);

export function errorsDocument(): string {
  const eventMonitoring = Object.keys(NAMES).filter((code) => code.startsWith('175'));
  const tables = { ...CODES, 'Event monitoring': { 0: eventMonitoring.map(Number) } };
  const coverage = Object.entries(tables).map(([name, byStatus]): Row => {
    const codes = Object.values(byStatus).flat();
    const count = (cause: string) => codes.filter((code) => CAUSE_BY_CODE.get(code) === cause).length;
    return [name, codes.length, count('request'), count('setting')];
  });
  return [
    table(['Specification table', 'Codes', 'Cause: request', 'Cause: setting'], withSums(coverage)),
    ...Object.entries(CATALOGUE).map(([name, entries]) =>
      [
        `## ${name}`,
        table(['Code', 'Name', 'HTTP', 'Kind', 'Condition', 'Remedy', 'Cause'], entries.map(errorRow)),
      ].join('\n\n'),
    ),
  ].join('\n\n');
}

function errorRow({ code, name, status, kind, condition, remedy }: ApiErrorEntry): Row {
  return [code, `\`${name}\``, status, kind, condition, remedy, CAUSE_BY_CODE.get(code) ?? ''];
}

const KEY_TEXTS: Readonly<Record<Idempotency, string>> = {
  key: '`idempotencyKey`',
  natural: 'natural',
  repeatable: '',
  none: 'none',
};
const SENT_AGAIN = { keyed: 'with the same key', unkeyed: 'never' } as const;

export function exactlyOnceDocument(): string {
  const effects = MUTATING_OPERATIONS.filter((id): id is FlowEffect => id in LOOK_UPS);
  const others = MUTATING_OPERATIONS.filter((id): id is CallerOperation => id in CALLER_LOOK_UPS);
  const count = (name: string, ids: readonly OperationId[]): Row => {
    const having = (wanted: Idempotency) => ids.filter((id) => findEndpoint(id).idempotency === wanted).length;
    return [name, having('key'), having('natural'), having('none'), ids.length];
  };
  return [
    table(
      ['Operations', 'With an idempotency key', 'With a natural key only', 'Without a key', 'All'],
      withSums([count('Called by flows', effects), count('Called by nothing but programs and commands', others)]),
    ),
    '## Operations that flows call',
    table(
      ['Operation', 'Key', 'Natural key', 'Sent again', 'Lookup', 'Recognized by', 'Adopted'],
      effects.map(effectRow),
    ),
    '## Operations that no flow calls',
    table(
      ['Operation', 'Key', 'Natural key', 'Answer to the same request', 'Lookup', 'Recognized by', 'Adopted'],
      others.map(callerRow),
    ),
  ].join('\n\n');
}

function effectRow(id: FlowEffect): Row {
  const { naturalKey = '', reads, recognizedBy, adopted }: LookUp = LOOK_UPS[id];
  const { mode } = Object.values(API_ACTIVITIES).find(({ endpoint }) => endpoint === id)! as {
    mode: keyof typeof SENT_AGAIN;
  };
  const { idempotency } = findEndpoint(id);
  const sentAgain = idempotency === 'natural' ? 'as it is' : SENT_AGAIN[mode];
  const endpoints = reads.map((read) => API_ACTIVITIES[read].endpoint);
  return [`\`${id}\``, KEY_TEXTS[idempotency], naturalKey, sentAgain, operationsText(endpoints), recognizedBy, adopted];
}

function callerRow(id: CallerOperation): Row {
  const row: CallerLookUp = CALLER_LOOK_UPS[id];
  const { naturalKey = '', reads, recognizedBy, adopted, command } = row;
  return [
    `\`${id}\`${command === undefined ? '' : `, by \`${command}\``}`,
    KEY_TEXTS[findEndpoint(id).idempotency],
    naturalKey,
    answerAgain(row),
    operationsText(reads),
    recognizedBy,
    adopted,
  ];
}

const operationsText = (ids: readonly string[]) => ids.map((id) => `\`${id}\``).join(', ');

type Row = readonly (string | number)[];

function table(head: readonly string[], rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map((cell) => String(cell).replaceAll('|', String.raw`\|`)).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}

/** Adds a last row with the sums of the numbers. */
function withSums(rows: readonly Row[]): Row[] {
  const sums = rows[0]!.map((_, n) => (n === 0 ? 'All' : rows.reduce((sum, row) => sum + Number(row[n]), 0)));
  return [...rows, sums];
}
