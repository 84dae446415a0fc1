import type { FailedCall } from '../../../src/domain/attempt';

// What happens to a call of the API, as tables. Each cell is an expected value: tables.test.ts holds the rules against
// them, and docs/reactions.md prints them. A cell may name several values; `any` stands for all that occur.

/** The responses of table `attempts`, by the first two columns. A response without a code has the code of its status. */
export const RESPONSES: Readonly<Record<string, FailedCall>> = {
  'transient: no response': { kind: 'transient', code: 0, status: 0, outcome: 'unknown' },
  'transient: not sent': { kind: 'transient', code: 0, status: 0, outcome: 'none' },
  'transient: 5xx': { kind: 'transient', code: 503, status: 503, outcome: 'unknown' },
  'transient: not from the API': { kind: 'transient', code: 408, status: 408, outcome: 'unknown' },
  'transient: code -1': { kind: 'transient', code: -1, status: 400, outcome: 'unknown' },
  'transient: code 155210': { kind: 'transient', code: 155210, status: 400, outcome: 'none' },
  'throttled: no Retry-After': { kind: 'throttled', code: 429, status: 429, outcome: 'none' },
  'throttled: Retry-After 0 s': { kind: 'throttled', code: 429, status: 429, outcome: 'none', retryAfterMs: 0 },
  'throttled: Retry-After 7 s': { kind: 'throttled', code: 429, status: 429, outcome: 'none', retryAfterMs: 7_000 },
  'wait: code 155202': { kind: 'wait', code: 155202, status: 400, outcome: 'none' },
  'wait: code 155264': { kind: 'wait', code: 155264, status: 400, outcome: 'none' },
  'wait: another code': { kind: 'wait', code: 175009, status: 400, outcome: 'none' },
  'wait: a lock of the user': { kind: 'wait', code: 155119, status: 400, outcome: 'none' },
  'renew: ciphertext used': { kind: 'renew', code: 156004, status: 400, outcome: 'unknown' },
  'renew: entity secret': { kind: 'renew', code: 156013, status: 400, outcome: 'none' },
  'renew: token was dropped': { kind: 'renew', code: 155104, status: 400, outcome: 'none', credentialDropped: true },
  'renew: token was kept': { kind: 'renew', code: 155104, status: 400, outcome: 'none' },
  'resolve: code 156020': { kind: 'resolve', code: 156020, status: 409, outcome: 'none' },
  'resolve: another code': { kind: 'resolve', code: 155101, status: 409, outcome: 'none' },
  'user: any': { kind: 'user', code: 155112, status: 400, outcome: 'none' },
  'attention: any': { kind: 'attention', code: 155201, status: 400, outcome: 'none' },
  'halt: any': { kind: 'halt', code: 156016, status: 400, outcome: 'none' },
  'refused: any': { kind: 'refused', code: 155219, status: 400, outcome: 'none' },
};

/** Attempts of table `attempts`. All responses to earlier attempts were the same. */
export const ATTEMPTS = [1, 2, 6, 20] as const;

/** How long the breaker lets a task wait, in the tests. */
export const HALTED_MS = 60_000;

interface Table {
  title: string;
  text: string;
  /** Rows with a header, in Markdown. */
  rows: string;
}

export const TABLES = {
  start: {
    title: 'Before a request is sent',
    text: `Whether an attempt sends its request, by the notes of the attempt before. An attempt that sends
nothing fails as \`outcomeUnknown\`, and the flow looks the effect up. **Activity reset**: an operator reset the activity,
which counts attempts from 1 again. **Later run**: an operator reset the flow.`,
    rows: `
| Mode          | Attempt | Notes                            | Tainted since | Request       |
| ------------- | ------- | -------------------------------- | ------------- | ------------- |
| read poll     | any     | any                              | -             | sent          |
| keyed unkeyed | 1       | none                             | -             | sent          |
| keyed unkeyed | 1       | later run                        | -             | laterRun      |
| keyed unkeyed | 1       | activity reset, not executed     | 61 min        | attemptReset  |
| keyed unkeyed | 1       | activity reset, tainted 59 min   | 59 min        | attemptReset  |
| keyed unkeyed | 1       | activity reset, notes deleted    | 61 min        | attemptReset  |
| keyed unkeyed | 2 6 20  | not executed                     | -             | sent          |
| keyed         | 2 6 20  | tainted for 59 min               | 59 min        | sent          |
| unkeyed       | 2 6 20  | tainted for 59 min               | 59 min        | keyExpired    |
| keyed unkeyed | 2 6 20  | tainted for 61 min               | 61 min        | keyExpired    |
| keyed         | 2 6 20  | none, first scheduled 59 min ago | 59 min        | sent          |
| unkeyed       | 2 6 20  | none, first scheduled 59 min ago | 59 min        | keyExpired    |
| keyed unkeyed | 2 6 20  | none, first scheduled 61 min ago | 61 min        | keyExpired    |
`,
  },
  attempts: {
    title: 'After a failed attempt',
    text: `\`retry\` without a time means the backoff of the mode. \`refused\` and \`outcomeUnknown\` go to the flow. Attempts
are numbered as if all earlier ones had the same response. **Tainted**: the API may have executed an earlier attempt.`,
    rows: `
| Kind      | Response           | Mode            | Tainted | Attempt | Reaction            |
| --------- | ------------------ | --------------- | ------- | ------- | ------------------- |
| transient | no response        | read poll keyed | any     | any     | retry               |
| transient | no response        | unkeyed         | no      | any     | outcomeUnknown      |
| transient | not sent           | any             | any     | any     | retry               |
| transient | 5xx                | read poll keyed | any     | any     | retry               |
| transient | 5xx                | unkeyed         | no      | any     | outcomeUnknown      |
| transient | not from the API   | read            | no      | 1 2     | retry               |
| transient | not from the API   | read            | no      | 6 20    | refused             |
| transient | not from the API   | poll            | no      | any     | retry               |
| transient | not from the API   | keyed           | any     | 1 2     | retry               |
| transient | not from the API   | keyed           | any     | 6 20    | outcomeUnknown      |
| transient | not from the API   | unkeyed         | no      | any     | outcomeUnknown      |
| transient | code -1            | read            | no      | 1 2     | retry               |
| transient | code -1            | read            | no      | 6 20    | refused             |
| transient | code -1            | poll            | no      | any     | retry               |
| transient | code -1            | keyed           | any     | 1 2     | retry               |
| transient | code -1            | keyed           | any     | 6 20    | outcomeUnknown      |
| transient | code -1            | unkeyed         | no      | any     | outcomeUnknown      |
| transient | code 155210        | read            | no      | 1 2     | retry               |
| transient | code 155210        | read            | no      | 6 20    | refused             |
| transient | code 155210        | poll            | no      | any     | retry               |
| transient | code 155210        | keyed unkeyed   | any     | 1 2     | retry               |
| transient | code 155210        | keyed unkeyed   | any     | 6 20    | refused             |
| throttled | no Retry-After     | any             | any     | any     | retry after 1 s     |
| throttled | Retry-After 0 s    | any             | any     | any     | retry after 0.1 s   |
| throttled | Retry-After 7 s    | any             | any     | any     | retry after 7 s     |
| wait      | code 155202        | any             | no      | 1       | retry after 15 s    |
| wait      | code 155202        | any             | no      | 2       | retry after 22.5 s  |
| wait      | code 155202        | any             | no      | 6       | retry after 113.9 s |
| wait      | code 155202        | any             | no      | 20      | retry after 600 s   |
| wait      | code 155202        | keyed           | yes     | any     | refused             |
| wait      | code 155264        | any             | no      | 1       | retry after 60 s    |
| wait      | code 155264        | any             | no      | 2       | retry after 90 s    |
| wait      | code 155264        | any             | no      | 6       | retry after 455.6 s |
| wait      | code 155264        | any             | no      | 20      | retry after 600 s   |
| wait      | code 155264        | keyed           | yes     | any     | refused             |
| wait      | another code       | any             | no      | 1       | retry after 30 s    |
| wait      | another code       | any             | no      | 2       | retry after 45 s    |
| wait      | another code       | any             | no      | 6       | retry after 227.8 s |
| wait      | another code       | any             | no      | 20      | retry after 600 s   |
| wait      | another code       | keyed           | yes     | any     | refused             |
| wait      | a lock of the user | any             | any     | any     | refused             |
| renew     | ciphertext used    | read poll keyed | any     | any     | retry after 1 s     |
| renew     | ciphertext used    | unkeyed         | no      | any     | outcomeUnknown      |
| renew     | entity secret      | any             | any     | any     | retry after 1 s     |
| renew     | token was dropped  | any             | any     | any     | retry after 1 s     |
| renew     | token was kept     | any             | any     | any     | refused             |
| resolve   | code 156020        | any             | any     | any     | refused             |
| resolve   | another code       | any             | any     | any     | refused             |
| user      | any                | any             | any     | any     | refused             |
| attention | any                | any             | any     | any     | refused             |
| halt      | any                | any             | any     | any     | retry after 60 s    |
| refused   | any                | any             | any     | any     | refused             |
`,
  },
  flow: {
    title: 'In the flow',
    text: `What \`perform\` does about a failure that reached the flow: at first, and after lookups. \`once\`, \`short\` and
\`long\` say how often it looks. Lookups read everything since the start of the flow; \`anyTime\`: without a bound. A lookup
that finds the effect ends everything. **Tainted**: the API may have executed this attempt or an earlier one. **Incomplete**: a
lookup failed, or a list had too many pages or rows that cannot be read. **Key refused**: the API refused an earlier request
with the same key without effect.`,
    rows: `
| Kind      | Code         | Tainted | First                | First after a reset  | Lookups found nothing | Found nothing, key refused | Incomplete    | Flow cancelled, found nothing |
| --------- | ------------ | ------- | -------------------- | -------------------- | --------------------- | -------------------------- | ------------- | ----------------------------- |
| transient | another      | no      | lookUp once          | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
| transient | another      | yes     | lookUp short         | lookUp short         | askForOutcome         | askForOutcome              | askForOutcome | askForOutcome                 |
| throttled | another      | no      | lookUp once          | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
| throttled | another      | yes     | lookUp short         | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
| wait      | another      | no      | lookUp once          | lookUp short         | wait 30 s             | wait 30 s                  | askForOutcome | cancel                        |
| wait      | another      | yes     | lookUp short         | lookUp short         | wait 30 s             | wait 30 s                  | askForOutcome | cancel                        |
| wait      | 155264       | yes     | lookUp short         | lookUp short         | wait 60 s             | wait 60 s                  | askForOutcome | cancel                        |
| renew     | another      | no      | lookUp once          | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
| renew     | another      | yes     | lookUp short         | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
| resolve   | another      | no      | lookUp once          | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
| resolve   | another      | yes     | lookUp short         | lookUp short         | askForOutcome         | askForOutcome              | askForOutcome | askForOutcome                 |
| resolve   | 156020       | no      | lookUp short anyTime | lookUp short anyTime | askForOutcome         | send new                   | askForOutcome | askForOutcome                 |
| resolve   | 156020       | yes     | lookUp short anyTime | lookUp short anyTime | askForOutcome         | askForOutcome              | askForOutcome | askForOutcome                 |
| resolve   | attemptReset | yes     | lookUp short anyTime | lookUp short anyTime | send same             | send same                  | askForOutcome | cancel                        |
| resolve   | laterRun     | yes     | lookUp short anyTime | lookUp short anyTime | send same             | send same                  | askForOutcome | cancel                        |
| user      | another      | no      | lookUp once          | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
| user      | another      | yes     | lookUp short         | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
| attention | another      | no      | lookUp once          | lookUp short         | askToFix              | askToFix                   | askForOutcome | cancel                        |
| attention | another      | yes     | lookUp short         | lookUp short         | askToFix              | askToFix                   | askForOutcome | cancel                        |
| halt      | another      | no      | lookUp once          | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
| halt      | another      | yes     | lookUp short         | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
| refused   | another      | no      | lookUp once          | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
| refused   | another      | yes     | lookUp short         | lookUp short         | fail                  | fail                       | askForOutcome | cancel                        |
`,
  },
  special: {
    title: 'Interruptions and decisions',
    text: `A cancellation can interrupt an activity between two attempts or before the first. A new ordinal follows a decision,
or a key that a refused request has used up, and always a lookup.`,
    rows: `
| Event                                   | Next                 | If the flow was cancelled |
| --------------------------------------- | -------------------- | ------------------------- |
| interrupted                             | lookUp long          | lookUp long               |
| interrupted, found nothing              | fail                 | cancel                    |
| interrupted, incomplete                 | askForOutcome        | askForOutcome             |
| preflight                               | lookUp once anyTime  | lookUp once anyTime       |
| preflight, found nothing                | send same            | cancel                    |
| preflight, incomplete                   | askForOutcome        | askForOutcome             |
| askToFix: retry                         | lookUp once anyTime  | cancel                    |
| askToFix: retry, found nothing          | send new             | cancel                    |
| askToFix: retry, incomplete             | askForOutcome        | askForOutcome             |
| askToFix: giveUp                        | fail                 | fail                      |
| askForOutcome: retry                    | lookUp once anyTime  | cancel                    |
| askForOutcome: retry, found nothing     | send new             | cancel                    |
| askForOutcome: retry, incomplete        | send new             | cancel                    |
| askForOutcome: giveUp                   | fail                 | fail                      |
| askForOutcome: lookAgain                | lookUp short anyTime | lookUp short anyTime      |
| askForOutcome: lookAgain, found nothing | askForOutcome        | askForOutcome             |
| askForOutcome: lookAgain, incomplete    | askForOutcome        | askForOutcome             |
`,
  },
} satisfies Record<string, Table>;

/** The generated part of docs/reactions.md. */
export function reactionsDocument(): string {
  return Object.values(TABLES)
    .map(({ title, text, rows }) => `## ${title}\n\n${text}\n\n${rows.trim()}`)
    .join('\n\n');
}

/** The rows of a table by the names of its columns. */
export function rowsOf({ rows }: Table): Record<string, string>[] {
  const [head, , ...lines] = rows
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return lines.map((cells) => Object.fromEntries(head!.map((name, index) => [name, cells[index]!])));
}
