import { API_ACTIVITIES, isEffect } from '../../src/domain/activityTable';
import type { FieldChange } from '../../src/emulator/faults/changeField';
import { changesOf, FLOW_OPERATIONS, type FlowOperation } from '../support/changedFields';
import { DEVELOPER_SCRIPTS } from '../support/scripts/developer';
import { type Played, playScript, startScript, STEP_MS } from '../support/scripts/play';
import { USER_SCRIPTS } from '../support/scripts/user';
import { type Stack, startStack } from '../support/stack';

/**
 * One field is changed in every response of an operation, for as long as a flow that uses it runs. The flow ends as it does
 * without the change, asks a person or its user, shows that it is unresolved, or ends before it has made anything. Once the
 * change is over and the person has decided, it ends as it should, and has made nothing twice. `PRINT_COUNTS=1` prints how many do
 * which. A field that is missing reads like one that is null, and one more field like none (test/unit/api/responseFuzz.test.ts),
 * so an operation has only one of these changes; `EVERY_CHANGE=1` tries all.
 */

const SCRIPTS = { ...DEVELOPER_SCRIPTS, ...USER_SCRIPTS };
// With a maximum, the flow reads the fee of an acceleration.
const transfer = {
  feeLevel: 'MEDIUM',
  stuck: 'accelerate',
  maxNetworkFee: { 'ETH-SEPOLIA': '1' },
  unresolvedAfter: '1 hour',
};
const POLICIES = { default: [{ version: 1, transfer }] };
/** What the client reads in the same way in every response. */
const ALIKE: FieldChange['change'][] = ['missing', 'null', 'extra'];
/** Each login needs a new one, and a user may have to log in again. */
const DEVICE_TOKENS: readonly string[] = ['createSocialDeviceToken', 'createEmailDeviceToken'];
const EFFECTS = Object.values(API_ACTIVITIES)
  .filter(({ mode, endpoint }) => isEffect(mode) && !DEVICE_TOKENS.includes(endpoint))
  .map(({ endpoint }) => endpoint);

/** What a person decides, if it is possible: a new request only if a lookup cannot help. */
const CHOICES = ['lookAgain', 'retry'];

type Ending =
  | 'as without the change'
  | 'after a decision'
  | 'not yet: its user has to log in again'
  | 'before anything was made'
  | 'shown as unresolved';

/** A script without any change. */
interface Original {
  name: string;
  status: string | undefined;
  operations: string[];
  /** By operation. */
  made: Record<string, number>;
}

describe('a changed field in every response of', () => {
  let stack: Stack;
  const originals: Original[] = [];
  const endings: { operation: FlowOperation; ending: Ending }[] = [];

  // `advance` checks every flow of a stack. With a stack for each operation, these stay few.
  const open = () => startStack({ policies: POLICIES, settings: { challengeLifetimeMs: null } });

  beforeAll(async () => {
    stack = await open();
    for (const [name, prepare] of Object.entries(SCRIPTS)) {
      const { outcome } = await playScript(stack, await startScript(stack, prepare));
      const operations = Object.keys(await stack.world.control.counts());
      originals.push({ name, status: outcome?.status, operations, made: await made() });
    }
    await stack.close();
  });
  beforeEach(async () => {
    stack = await open();
  });
  afterEach(() => stack.close());
  afterAll(() => {
    if (process.env.PRINT_COUNTS !== undefined) process.stdout.write(`${summaryOf(endings)}\n`);
  });

  /** How often the API did what each operation asks for. */
  async function made(): Promise<Record<string, number>> {
    const counts = await stack.world.control.counts();
    const rows = EFFECTS.map((operation) => [operation, counts[operation]?.committed ?? 0] as const);
    return Object.fromEntries(rows.filter(([, count]) => count > 0));
  }

  async function endOf(played: Played, original: Original): Promise<Ending> {
    const { flow } = played;
    const {
      attention,
      outcome,
      unresolved,
      inputRequests = [],
    } = await playScript(stack, played, {
      isEnd: (progress) => progress.unresolved === true,
    });
    if (outcome) {
      if (outcome.status === original.status) return 'as without the change';
      expect({ status: outcome.status, made: await made() }).toEqual({ status: 'failed', made: {} });
      return 'before anything was made';
    }
    const waitsForUser = inputRequests.length > 0;
    expect({ isShown: attention !== undefined || unresolved === true || waitsForUser }).toEqual({ isShown: true });
    await stack.world.control.clearFaults();
    // The user of a script logs in once.
    if (!attention && waitsForUser) return 'not yet: its user has to log in again';
    const choices = (attention?.options ?? []).map(({ choice }) => choice);
    const choice = CHOICES.find((each) => choices.includes(each)) ?? choices[0];
    if (choice) await flow.decide(choice, await stack.as('ops'));
    else await stack.advance(STEP_MS);
    const { outcome: late, ...rest } = await playScript(stack, played);
    expect({ ...rest, outcome: late, asked: attention }).toMatchObject({ outcome: { status: original.status } });
    return attention ? 'after a decision' : 'shown as unresolved';
  }

  test('is possible for every operation that a flow uses: a script uses each', () => {
    const used = new Set(originals.flatMap(({ operations }) => operations));
    expect(FLOW_OPERATIONS.filter((operation) => !used.has(operation))).toEqual([]);
    expect(originals.filter(({ status }) => status === undefined || status === 'failed')).toEqual([]);
  });

  const operations = FLOW_OPERATIONS.filter((operation) => changesOf(operation).length > 0);
  test.each(operations.map((operation, index) => [operation, index] as const))('%s', async (operation, index) => {
    const original = originals.find((each) => each.operations.includes(operation))!;
    const problems: string[] = [];
    const isLeftOut = ({ change }: FieldChange) => ALIKE.includes(change) && change !== ALIKE[index % ALIKE.length];
    for (const change of changesOf(operation)) {
      if (isLeftOut(change) && !process.env.EVERY_CHANGE) continue;
      // A worker that has read a token does not read it again.
      if (operation === 'getToken') {
        await stack.close();
        stack = await open();
      }
      const addChange = () => stack.world.control.addFault({ operation, action: change });
      const played = await startScript(stack, SCRIPTS[original.name]!, addChange);
      try {
        const ending = await endOf(played, original);
        endings.push({ operation, ending });
        if (change.change === 'extra') expect(ending).toBe('as without the change');
        for (const [effect, count] of Object.entries(await made()))
          expect({ effect, count: Math.max(count, original.made[effect] ?? 0) }).toEqual({
            effect,
            count: original.made[effect],
          });
      } catch (error) {
        problems.push(`${original.name}, ${change.change}: ${(error as Error).message}`);
      }
    }
    expect(problems).toEqual([]);
  });
});

function summaryOf(endings: readonly { operation: FlowOperation; ending: Ending }[]): string {
  const counts = new Map<string, Map<Ending, number>>();
  for (const { operation, ending } of endings) {
    const row = counts.get(operation) ?? new Map<Ending, number>();
    counts.set(operation, row.set(ending, (row.get(ending) ?? 0) + 1));
  }
  const lines = [...counts].map(([operation, row]) => {
    const parts = [...row].map(([ending, count]) => `${count} ${ending}`);
    return `${operation.padEnd(28)} ${parts.join(', ')}`;
  });
  return ['Flows whose responses have a changed field end:', ...lines].join('\n');
}
