import { randomUUID } from 'node:crypto';
import type { OperationId } from '../../src/api';
import type { FlowHandle } from '../../src/client/flowHandle';
import type { FlowApi, Flows } from '../../src/client/openFlows';
import { CODES } from '../../src/domain/codes';
import type { FlowName } from '../../src/domain/flowNames';
import type { Progress } from '../../src/domain/progress';
import { callOf } from './contractCalls';
import { approveNext, byPin, bySocial, deviceLoginOf, type Onboarding } from './onboarding';
import { makePayer } from './payers';
import { INITIATOR, type Stack } from './stack';
import { transferOf } from './transfers';
import { until } from './until';
import { sentBy } from './journal';
import { challengesOf, makeInitializedUser } from './users';
import { emptyWallet, fund } from './wallets';

const CHAIN = 'ETH-SEPOLIA';
const MESSAGE = { kind: 'message', message: 'I agree' };

/** The input of one flow, with everything that it needs at the API. */
export interface PreparedFlow {
  input: { ref: string };
  /** How many things the API has made for this flow: transactions, wallets, approvals, signatures or drips. */
  made(flow: FlowHandle<unknown>): Promise<number>;
}

/** A kind of flow that makes something, to do something else while it runs. */
export interface FlowKind {
  name: string;
  flow: FlowName;
  /** The operation that makes the flow's thing, once. */
  operation: OperationId;
  /** It ends at once, and waits for nobody. Its call makes nothing at the API, so a refusal of it is final. */
  instant?: true;
  /** Nothing at the API shows to which flow its thing belongs: without history and key, a flow makes it again. */
  anonymous?: true;
  /** The user whose session all flows of this kind use, if the user exists before the flow. */
  userId?: string;
  prepare(): Promise<PreparedFlow>;
  /** Whether the flow is where it waits. A flow behind another one of the same user waits too. */
  waits(progress: Progress): boolean;
  /** Does what the flow waits for. */
  resolve(flow: FlowHandle<unknown>): Promise<void>;
}

/**
 * One kind for each flow, and for each way in which it waits for a person, a user or the faucet.
 * @param stack returns the stack that runs the flows now
 */
export async function flowKinds(stack: () => Stack): Promise<FlowKind[]> {
  const payer = await makePayer(stack());
  const caller = await makePayer(stack());
  const signer = await makePayer(stack());
  const holder = await makePayer(stack());
  const pinUser = await makeInitializedUser(stack());
  const signing = await emptyWallet(stack(), { blockchain: CHAIN, accountType: 'EOA' });
  const approve = async (flow: FlowHandle<unknown>) => void (await approveNext(stack(), flow as Onboarding));
  /** Puts native tokens into the wallet of the flow, which asks for them. */
  const fundAndRetry = async (flow: FlowHandle<unknown>) => {
    const { input } = (await flow.progress()) as Progress<unknown, { from: { walletId: string } }>;
    const { walletId } = input!.from;
    await fund(stack(), { id: walletId, address: '', blockchain: CHAIN }, { native: '10', usdc: '0' });
    await flow.decide('retry', await stack().as('ops'));
  };
  const sent = async (walletId: string, { ref }: { ref: string }) =>
    (await sentBy(stack().world, walletId)).filter(({ refId }) => refId?.includes(ref)).length;
  /** Counts what there is for a user now, and later what has been added. */
  const added = async (count: () => Promise<number>) => {
    const before = await count();
    return async () => (await count()) - before;
  };
  const walletsOf = async (userId: string) => {
    const { userToken } = (await stack().api.createUserToken({ body: { userId } })).data;
    return (await stack().api.listWallets({ query: { pageSize: 50 } }, { userToken })).data.wallets.length;
  };
  const approvedOf = async (userId: string, type: string) =>
    (await challengesOf(stack(), userId)).filter((each) => each.type === type && each.status === 'COMPLETE').length;
  const waitsForUser = ({ approval, restriction }: Progress) =>
    approval !== undefined || restriction?.reason === 'otherChallenge';
  return [
    {
      name: 'transfer, a person decides',
      flow: 'transfer',
      operation: 'createTransfer',
      prepare: async () => {
        const wallet = await emptyWallet(stack(), { blockchain: CHAIN, accountType: 'EOA' });
        const input = transferOf(await fund(stack(), { ...wallet, blockchain: CHAIN }, { native: '0', usdc: '1000' }));
        return { input, made: () => sent(wallet.id, input) };
      },
      waits: ({ attention }) => attention !== undefined,
      resolve: fundAndRetry,
    },
    {
      name: 'transfer, the user approves',
      flow: 'transfer',
      operation: 'createUserTransfer',
      userId: payer.userId,
      prepare: async () => {
        const [wallet] = payer.wallets;
        const input = transferOf(wallet!);
        return { input, made: () => sent(wallet!.id, input) };
      },
      waits: waitsForUser,
      resolve: approve,
    },
    {
      name: 'executeContract, a person decides',
      flow: 'executeContract',
      operation: 'createContractExecution',
      prepare: async () => {
        const wallet = await emptyWallet(stack(), { blockchain: CHAIN, accountType: 'EOA' });
        await fund(stack(), { ...wallet, blockchain: CHAIN }, { native: '0', usdc: '1000' });
        const input = callOf(wallet);
        return { input, made: () => sent(wallet.id, input) };
      },
      waits: ({ attention }) => attention !== undefined,
      resolve: fundAndRetry,
    },
    {
      name: 'executeContract, the user approves',
      flow: 'executeContract',
      operation: 'createUserContractExecution',
      userId: caller.userId,
      prepare: async () => {
        const [wallet] = caller.wallets;
        const input = callOf(wallet!);
        return { input, made: () => sent(wallet!.id, input) };
      },
      waits: waitsForUser,
      resolve: approve,
    },
    {
      name: 'onboardUser by PIN',
      flow: 'onboardUser',
      operation: 'initializeUser',
      prepare: async () => {
        const input = byPin();
        return { input, made: () => walletsOf((input as { userId: string }).userId) };
      },
      waits: waitsForUser,
      resolve: approve,
    },
    {
      name: 'onboardUser by login',
      flow: 'onboardUser',
      operation: 'initializeUser',
      prepare: async () => ({ input: bySocial(), made: () => Promise.resolve(NaN) }),
      waits: ({ waitingFor }) => waitingFor === 'the user to log in at Google',
      async resolve(flow) {
        const onboarding = flow as Onboarding;
        // The world's clock may be far ahead of the flow's, so the browser finds the device token expired.
        const { deviceToken: expired } = await deviceLoginOf(onboarding);
        await onboarding.provide('clientError', { code: CODES.deviceTokenExpired }, await stack().as('app'));
        let login: Awaited<ReturnType<typeof deviceLoginOf>> = {};
        await until(async () => {
          login = await deviceLoginOf(onboarding);
          return login.deviceToken !== undefined && login.deviceToken !== expired;
        }, 'a new device token');
        const body = { ...login, provider: 'Google', account: randomUUID() };
        const tokens = await stack().world.control.call('POST', '/socialLogin', body);
        await onboarding.provide('tokens', tokens as never, await stack().as('app'));
        await approve(flow);
      },
    },
    {
      name: 'changePin',
      flow: 'changePin',
      operation: 'updateUserPin',
      anonymous: true,
      userId: pinUser,
      prepare: async () => ({
        input: { ref: `p-${randomUUID()}`, userId: pinUser, action: 'change' },
        made: await added(() => approvedOf(pinUser, 'CHANGE_PIN')),
      }),
      waits: waitsForUser,
      resolve: approve,
    },
    {
      name: 'addUserWallets',
      flow: 'addUserWallets',
      operation: 'createUserWallets',
      anonymous: true,
      userId: holder.userId,
      prepare: async () => ({
        input: { ref: `w-${randomUUID()}`, userId: holder.userId, blockchains: [CHAIN] },
        made: await added(() => walletsOf(holder.userId)),
      }),
      waits: waitsForUser,
      resolve: approve,
    },
    {
      name: 'signPayload, the user approves',
      flow: 'signPayload',
      operation: 'signUserMessage',
      anonymous: true,
      userId: signer.userId,
      prepare: async () => ({
        input: { ref: `s-${randomUUID()}`, walletId: signer.wallets[0]!.id, payload: MESSAGE },
        made: await added(() => approvedOf(signer.userId, 'SIGN_MESSAGE')),
      }),
      waits: waitsForUser,
      resolve: approve,
    },
    {
      name: 'signPayload of a developer wallet',
      flow: 'signPayload',
      operation: 'signMessage',
      instant: true,
      prepare: async () => ({
        input: { ref: `s-${randomUUID()}`, walletId: signing.id, payload: MESSAGE },
        async made(flow) {
          const { outcome } = await flow.progress();
          return outcome && 'result' in outcome && (outcome.result as { signature?: string }).signature ? 1 : 0;
        },
      }),
      waits: () => false,
      resolve: async () => {},
    },
    {
      name: 'fundTestnet',
      flow: 'fundTestnet',
      operation: 'requestDrip',
      anonymous: true,
      prepare: async () => {
        const { id } = await emptyWallet(stack(), { blockchain: CHAIN, accountType: 'EOA' });
        const drips = { walletIds: id, txType: 'INBOUND', includeAll: true } as const;
        return {
          input: { ref: `f-${randomUUID()}`, walletId: id, native: true },
          made: async () => (await stack().api.listTransactions({ query: drips })).data.transactions!.length,
        };
      },
      waits: ({ waitingFor }) => waitingFor === 'the tokens to arrive',
      resolve: async () => {},
    },
  ];
}

/** Starts the flow, or starts it again: the same ref and input return the same flow. */
export async function startKind(
  stack: Stack,
  flows: Flows,
  kind: Pick<FlowKind, 'flow'>,
  input: object,
): Promise<FlowHandle<unknown> & { created: boolean }> {
  const { start } = flows[kind.flow] as FlowApi<FlowName>;
  return start(input as never, await stack.as(INITIATOR));
}
