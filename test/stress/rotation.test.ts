import { Console } from 'node:console';
import { randomBytes } from 'node:crypto';
import type { FlowHandle } from '../../src/client/flowHandle';
import type { KeyRingFile } from '../../src/crypto/keyRing';
import { heldEventsId } from '../../src/domain/heldEvents';
import { holdEvent, listHeldEvents } from '../../src/temporal/heldEvents';
import { type FlowKind, flowKinds, startKind } from '../support/flowKinds';
import { growHistory, SUGGESTED_LENGTH } from '../support/history';
import { Installation, PROCESSES } from '../support/installation';
import { distinct, requestsOf, sentBy } from '../support/journal';
import { payloadsOf } from '../support/secrets';
import { FAST, type Stack, startStack } from '../support/stack';
import { transferOf } from '../support/transfers';
import { until } from '../support/until';
import { sessionOf } from '../support/users';
import { fundedWallet } from '../support/wallets';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Of the tokens of a login. */
const TOKEN_LIFETIME_MS = 14 * DAY;
const TRANSFER = { flow: 'transfer' } as const;

/** A flow of one kind that is open, and what its callers see of it. */
interface OpenFlow {
  kind: FlowKind;
  input: { ref: string };
  runId: string;
  shown: string;
}

const IS_SESSION = 'WorkflowType = "userSession"';
const IS_LANE = 'WorkflowType = "walletLane"';
const IS_OPEN = 'ExecutionStatus = "Running"';

const OLD = '2026-05';
const NEW = '2026-11';

/** The key ring before a rotation, and after each of its rounds. */
function ringsOf({ keyRingFile: { identity } }: Pick<Stack, 'keyRingFile'>) {
  const key = () => randomBytes(32).toString('base64');
  const [old, next] = [{ [OLD]: key() }, { [NEW]: key() }];
  return {
    before: { identity, current: OLD, keys: old },
    added: { identity, current: OLD, keys: { ...old, ...next } },
    named: { identity, current: NEW, keys: { ...old, ...next } },
    removed: { identity, current: NEW, keys: next },
  } satisfies Record<string, KeyRingFile>;
}

/**
 * Rotates the key ring of a running installation as docs/security.md#rotation says, one process after the other, while
 * flows of every kind wait. `PRINT_COUNTS=1` prints what each restart left unchanged.
 */
describe('a rotation of the key ring', () => {
  let stack: Stack;
  let installation: Installation;
  let kinds: FlowKind[];
  let rings: ReturnType<typeof ringsOf>;
  const open: OpenFlow[] = [];
  const ended: OpenFlow[] = [];
  const rows: object[] = [];
  const sessionIds = new Set<string>();

  beforeAll(async () => {
    stack = await startStack({ settings: { challengeLifetimeMs: null }, workers: false });
    rings = ringsOf(stack);
    kinds = (await flowKinds(() => stack)).filter(({ instant }) => !instant);
    // Now the world stands still, so that nothing happens that the test does not cause.
    await stack.world.control.setSpeed(0.001);
    installation = await Installation.start(stack, rings.before);
  });
  afterAll(async () => {
    await (installation as Installation | undefined)?.stop();
    await stack.close();
  });

  const client = () => installation.flows.client;
  const workflow = (id: string, runId?: string) => client().workflow.getHandle(id, runId);
  /** The flow through the backend that runs now. */
  const handle = ({ kind, input }: Pick<OpenFlow, 'kind' | 'input'>) =>
    installation.flows[kind.flow].get(input.ref) as FlowHandle<unknown>;
  /** What a backend, an operator and a user see of a waiting flow. */
  async function shownOf(flow: FlowHandle<unknown>): Promise<string> {
    const { attention, approval, waitingFor, step } = await flow.progress();
    return JSON.stringify([attention?.code, approval?.challengeId, waitingFor, step]);
  }
  async function openFlow(kind: FlowKind): Promise<void> {
    const { input } = await kind.prepare();
    const flow = await startKind(stack, installation.flows, kind, input);
    await until(async () => kind.waits(await flow.progress()), `${kind.name} to wait`);
    const { runId } = await workflow(flow.workflowId).describe();
    open.push({ kind, input, runId, shown: await shownOf(flow) });
  }
  /** Does what these flows wait for, and notes what the flows behind them show then. */
  async function resolveFlows(flows: OpenFlow[]): Promise<void> {
    for (const each of flows) {
      await each.kind.resolve(handle(each));
      await stack.world.control.advance(HOUR);
      open.splice(open.indexOf(each), 1);
      ended.push(each);
    }
    const polling = flows.filter(({ kind }) => kind.flow === 'fundTestnet');
    for (const each of polling) stack.advancedWorkflows.add(handle(each).workflowId);
    await stack.advance(10 * MINUTE);
    stack.advancedWorkflows.clear();
    for (const each of flows) {
      const { name } = each.kind;
      expect({ name, ...(await handle(each).result()) }).toMatchObject({ name, status: 'completed' });
    }
    for (const each of open) {
      await until(async () => {
        const { approval, restriction } = await handle(each).progress();
        return each.kind.userId === undefined || (approval !== undefined && !restriction);
      }, `${each.kind.name} to have its turn`);
      each.shown = await shownOf(handle(each));
    }
  }
  /** Closes one set of flows and opens the next. Sessions of existing users stay open, since the next flows wait behind. */
  async function nextSet(between: () => Promise<void> = async () => {}): Promise<void> {
    const previous = [...open];
    const [shared, own] = [kinds.filter(({ userId }) => userId), kinds.filter(({ userId }) => !userId)];
    for (const kind of shared) await openFlow(kind);
    await resolveFlows(previous);
    await between();
    for (const kind of own) await openFlow(kind);
  }

  const listed = async (...conditions: string[]) => {
    const found = [];
    const query = [`WorkflowId STARTS_WITH "${stack.entity.name}/"`, ...conditions].join(' AND ');
    for await (const info of client().workflow.list({ query })) found.push(info);
    return found;
  };
  /** Lets time pass until sessions of logins end, and ended workflows are no longer retained. */
  async function endRunsFrom(before: string): Promise<void> {
    for (const { workflowId } of await listed(before, IS_OPEN)) stack.advancedWorkflows.add(workflowId);
    await stack.advance(TOKEN_LIFETIME_MS + DAY);
    stack.advancedWorkflows.clear();
    await until(async () => (await listed(before, IS_OPEN)).length === 0, 'every run from before the rotation to end');
    for (const { workflowId, runId } of await listed(before)) {
      await client().workflowService.deleteWorkflowExecution({
        namespace: client().options.namespace,
        workflowExecution: { workflowId, runId },
      });
    }
    await until(async () => (await listed(before)).length === 0, 'the retention to end');
  }
  /** Counts the sessions that have existed so far. */
  async function countSessions(): Promise<number> {
    for (const { workflowId } of await listed(IS_SESSION)) sessionIds.add(workflowId);
    return sessionIds.size;
  }
  /** The chain of runs of the session of each user that all sets of flows share. */
  const sessions = async () =>
    Promise.all(
      kinds
        .flatMap(({ userId }) => (userId ? [userId] : []))
        .map(async (userId) => {
          const { raw } = await workflow(sessionOf(stack, userId)).describe();
          return raw.workflowExecutionInfo!.firstRunId;
        }),
    );
  /** How many payloads of all histories each key encrypts. */
  async function payloadsByKey(): Promise<Record<string, number>> {
    const counts: Record<string, number> = { [OLD]: 0, [NEW]: 0 };
    for (const { workflowId, runId } of await listed()) {
      for (const { metadata } of payloadsOf(await workflow(workflowId, runId).fetchHistory())) {
        const id = metadata?.['encryption-key-id'];
        if (id) counts[Buffer.from(id).toString()]!++;
      }
    }
    return counts;
  }
  /** Restarts every process with the ring. After each, everything that is open is as it was. */
  async function roll(
    phase: string,
    ring: KeyRingFile,
    after: Partial<Record<string, () => Promise<void>>> = {},
  ): Promise<void> {
    for (const name of PROCESSES) {
      const before = await sessions();
      await installation.restart(name, ring);
      await after[name]?.();
      let same = 0;
      for (const each of open) {
        const { kind, input, runId, shown } = each;
        const again = await startKind(stack, installation.flows, kind, input);
        expect([kind.name, again.created, again.workflowId]).toEqual([kind.name, false, handle(each).workflowId]);
        expect((await workflow(again.workflowId).describe()).runId).toBe(runId);
        await until(async () => (await shownOf(again)) === shown, `${kind.name} to show what it showed before`);
        same++;
      }
      expect(await sessions()).toEqual(before);
      rows.push({
        phase,
        restarted: name,
        ...installation.rings(),
        open: open.length,
        same,
        sessions: await countSessions(),
        ...(await payloadsByKey()),
      });
    }
  }

  test('leaves flows, sessions, keys and references as they are, and the old key can go', async () => {
    const { control } = stack.world;
    const held = () => ({ client: client(), entity: stack.entity.name });
    const heldEvent = (id: string) => ({ id, at: new Date().toISOString(), type: 't', reason: 'r', payload: {} });
    const heldList = heldEventsId(stack.entity.name, 'parked');
    await holdEvent(held(), 'parked', heldEvent('a'));

    // A flow whose history the namespace no longer retains at the end.
    await control.clearJournal();
    const past = await fundedWallet(stack);
    const pastInput = transferOf(past);
    const pastFlow = await startKind(stack, installation.flows, TRANSFER, pastInput);
    await until(async () => (await sentBy(stack.world, past.id)).length === 1, 'the transaction');
    await control.advance(HOUR);
    expect(await pastFlow.result()).toMatchObject({ status: 'completed' });

    for (const kind of kinds) await openFlow(kind);
    const firstSessions = await sessions();
    await roll('add the new key', rings.added);

    // A request that is sent by a worker of the old ring, and again by one of the new ring.
    const retried = await fundedWallet(stack);
    await control.addFault({ operation: 'createTransfer', count: 1, action: { drop: 'after' } });
    await control.addFault({ operation: 'createTransfer', skip: 1, action: { drop: 'before' } });
    const retriedFlow = await startKind(stack, installation.flows, TRANSFER, transferOf(retried));
    const sends = async () => (await requestsOf(stack.world, 'createTransfer')).length;
    await until(async () => (await sends()) > 1, 'a second attempt');
    await roll('name it current', rings.named, {
      'worker 1': async () => {
        const before = await sends();
        await until(async () => (await sends()) > before, 'an attempt after the restart');
        await control.clearFaults();
        await until(
          async () => (await retriedFlow.progress()).resources.transactionId !== undefined,
          'the transaction',
        );
        await control.advance(HOUR);
        expect(await retriedFlow.result()).toMatchObject({ status: 'completed' });
        // Workers of both rings, with the gateway and the backend of the old one.
        await nextSet();
      },
    });

    const rotated = new Date();
    for (const type of [IS_SESSION, IS_LANE])
      for (const { workflowId } of await listed(type, IS_OPEN)) {
        await growHistory(client(), workflowId, SUGGESTED_LENGTH);
      }
    await growHistory(client(), heldList, SUGGESTED_LENGTH);
    await holdEvent(held(), 'parked', heldEvent('b'));
    await nextSet(() => endRunsFrom(`StartTime < "${rotated.toISOString()}"`));
    expect(await payloadsByKey()).toMatchObject({ [OLD]: 0 });

    await roll('remove the old key', rings.removed);
    const again = await startKind(stack, installation.flows, TRANSFER, pastInput);
    expect(again.created).toBe(true);
    expect(await again.result()).toMatchObject({ status: 'completed' });
    expect(await sentBy(stack.world, past.id)).toHaveLength(1);

    await resolveFlows([...open]);
    expect(await sessions()).toEqual(firstSessions);
    const onboarded = ended.filter(({ kind }) => kind.flow === 'onboardUser').length;
    const users = firstSessions.length + onboarded;
    await until(async () => (await countSessions()) >= users, 'the sessions to be listed');
    expect(sessionIds.size).toBe(users);
    const parked = (await listHeldEvents(held(), 'parked')).entries.map(({ id }) => id);
    expect(parked).toEqual(expect.arrayContaining(['a', 'b']));

    const made = [];
    for (const operation of new Set(kinds.map((kind) => kind.operation))) {
      const seen = await requestsOf(stack.world, operation);
      const flows = ended.filter(({ kind }) => kind.operation === operation).length;
      // With the two transfers that belong to no set: one was sent again, and the history of the other was gone.
      const expected = operation === 'createTransfer' ? flows + 2 : flows;
      const committed = seen.filter((each) => each.committed);
      expect([operation, committed.length]).toEqual([operation, expected]);
      made.push({ operation, flows: expected, requests: seen.length, made: committed.length });
      // The faucet and signatures take no key, and only transactions carry a reference.
      for (const name of ['idempotencyKey', 'refId'] as const) {
        const values = distinct(seen, name).filter(Boolean);
        Object.assign(made.at(-1)!, { [name]: values.length });
        if (values.length > 0) expect([operation, name, values.length]).toEqual([operation, name, expected]);
      }
    }
    expect(await sentBy(stack.world, retried.id)).toHaveLength(1);
    if (process.env.PRINT_COUNTS) {
      const terminal = new Console(process.stdout);
      terminal.table(rows);
      terminal.table(made);
    }
  });
});

test('a worker without the new key retries what is encrypted with it and says so, and loses nothing', async () => {
  const stack = await startStack({ workers: false, speed: FAST });
  const rings = ringsOf(stack);
  const installation = await Installation.start(stack, rings.before);
  try {
    const wallet = await fundedWallet(stack);
    await installation.restart('backend', rings.named);
    const flow = await startKind(stack, installation.flows, TRANSFER, transferOf(wallet));
    await until(
      async () => installation.workerOutput().includes(`"name":"UnknownKeyError","keyId":"${NEW}"`),
      'the log',
    );
    expect(await sentBy(stack.world, wallet.id)).toEqual([]);
    for (const name of ['worker 1', 'worker 2'] as const) await installation.restart(name, rings.added);
    // What the workers write now is encrypted with the old key, which the backend still has.
    expect(await flow.result()).toMatchObject({ status: 'completed' });
    expect(await sentBy(stack.world, wallet.id)).toHaveLength(1);
  } finally {
    await installation.stop();
    await stack.close();
  }
});
