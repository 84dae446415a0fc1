import { randomUUID } from 'node:crypto';
import { SCOPES, SIGNALS } from '../../src/domain/messages';
import { signalOnce } from '../../src/temporal/signalOnce';
import { makePayer, resolveChallenge } from '../support/payers';
import { until } from '../support/until';
import { approve, challengeOf, PIN } from '../support/users';
import { fundedWallet } from '../support/wallets';
import { attention, ended, fault, following, MINUTE, next, reach, SECOND, SLOW } from './moments';
import { type RunScenario, UNREACHABLE_ISSUER } from './runScenario';
import {
  addUserWallets,
  changePin,
  contractCall,
  fundTestnet,
  nftTransfer,
  signMessage,
  TO,
  TOO_MUCH,
  transfer,
  userTransfer,
} from './starts';

/** Scenarios of flows by their endings. Keys: `<flow>.<scenario>`. A flow whose scenario begins with `waiting` is still running. */
export const FLOW_SCENARIOS: Record<string, RunScenario> = {
  'transfer.completedUnderReplayedKey': async (stack) => {
    await stack.world.control.changeSettings({ idempotency: 'replay' });
    await fault(stack, 'createTransfer', { drop: 'after' });
    const flow = await ended(stack, await transfer(stack), { status: 'completed' });
    await stack.world.control.changeSettings({ idempotency: 'reject' });
    return flow;
  },
  'transfer.nfts': async (stack) => ended(stack, await nftTransfer(stack), { status: 'completed' }),
  'transfer.fromAddress': async (stack) => {
    const { address, blockchain, usdcId: tokenId } = await fundedWallet(stack);
    const flow = await transfer(stack, { from: { address, blockchain }, tokenId });
    return ended(stack, flow, { status: 'completed' });
  },
  'transfer.addressRefused': async (stack) =>
    ended(stack, await transfer(stack, { to: 'nowhere' }), { status: 'failed', code: 155219 }),
  'transfer.unknownPolicy': async (stack) =>
    ended(stack, await transfer(stack, { policy: 'unknown-policy' }), { status: 'failed' }),
  'transfer.tokenRefused': async (stack) => {
    const forMessages = await stack.as('ada', { scopes: [SCOPES.decide] });
    return ended(stack, await transfer(stack, {}, forMessages), { status: 'failed' });
  },
  'transfer.waitingForIssuer': async (stack) => {
    const { issuer, audience } = UNREACHABLE_ISSUER;
    return following(await transfer(stack, {}, await stack.as('ada', { issuer, audience })));
  },
  'transfer.walletUnknown': async (stack) =>
    ended(stack, await transfer(stack, { from: { walletId: randomUUID() } }), { status: 'failed', code: 156001 }),
  'transfer.submissionRefused': async (stack) => {
    await fault(stack, 'createTransfer', { status: 400, code: 155802, when: 'before' });
    return ended(stack, await transfer(stack), { status: 'failed', code: 155802 });
  },
  'transfer.noFundsThenRetried': async (stack) => {
    await fault(stack, 'createTransfer', { status: 400, code: 155201, when: 'before' });
    const flow = await transfer(stack);
    await attention(stack, flow, 155201);
    await flow.decide('retry', await stack.as('ops'));
    return ended(stack, flow, { status: 'completed' });
  },
  'transfer.noFundsThenGivenUp': async (stack) => {
    const flow = await transfer(stack, { amount: TOO_MUCH });
    await attention(stack, flow, 155205);
    await flow.decide('giveUp', await stack.as('ops'));
    return ended(stack, flow, { status: 'failed', code: 155205 });
  },
  'transfer.cancelledAtGate': async (stack) => {
    const flow = await transfer(stack, { amount: TOO_MUCH });
    await attention(stack, flow, 155205);
    expect(await flow.cancel(await stack.as('ops'))).toBe('accepted');
    return ended(stack, flow, { status: 'cancelled' });
  },
  'transfer.cancelWhileSubmitting': async (stack) => {
    await next(stack, SLOW);
    await fault(stack, 'createTransfer', { delayMs: 3 * SECOND });
    const flow = await transfer(stack);
    await until(async () => (await flow.progress()).step === 'submit');
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    return ended(stack, flow, { status: 'cancelled' });
  },
  'transfer.cancelTooLate': async (stack) => {
    await next(stack, SLOW);
    const flow = await following(await transfer(stack));
    await stack.advance(MINUTE);
    await fault(stack, 'cancelTransaction', { status: 400, code: 155229, when: 'before' });
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await stack.advance(5 * MINUTE);
    expect(await flow.cancel(await stack.as('ops'))).toBe('tooLate');
    return ended(stack, flow, { status: 'completed' });
  },
  'transfer.cancelTooEarly': async (stack) => {
    await next(stack, SLOW);
    const flow = await following(await transfer(stack));
    const { transactionId } = (await flow.progress()).resources;
    const initiated = { state: 'INITIATED', durationMs: 10 * MINUTE };
    await stack.world.control.call('POST', `/transactions/${transactionId}/label`, initiated);
    await fault(stack, 'cancelTransaction', { status: 400, code: 155229, when: 'before' });
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    return ended(stack, flow, { status: 'cancelled' });
  },
  'transfer.completedByWebhook': async (stack) => {
    await next(stack, SLOW);
    const flow = await following(await transfer(stack));
    const { transactionId: id } = (await flow.progress()).resources;
    await signalOnce(stack.flows.client, flow.workflowId, {
      name: SIGNALS.stateChanged,
      argument: { notificationId: randomUUID(), id, state: 'COMPLETE' },
      requestId: randomUUID(),
    });
    return ended(stack, flow, { status: 'completed' });
  },
  'transfer.stuckThenCancelled': async (stack) => {
    await next(stack, { stuck: true });
    const flow = await transfer(stack);
    await attention(stack, flow);
    await flow.decide('cancelTransaction', await stack.as('ops'));
    return ended(stack, flow, { status: 'cancelled' });
  },
  'transfer.unresolvedThenCompleted': async (stack) => {
    await next(stack, SLOW);
    const flow = await transfer(stack, { policy: 'impatient' });
    await reach(stack, flow, ({ unresolved }) => unresolved === true);
    return ended(stack, flow, { status: 'completed' });
  },
  'transfer.waitingForFunds': async (stack) => attention(stack, await transfer(stack, { amount: TOO_MUCH }), 155205),
  'transfer.waitingForDecisionOnStuck': async (stack) => {
    await next(stack, { stuck: true });
    return attention(stack, await transfer(stack));
  },
  'transfer.newChallengeAfterExpiry': async (stack) => {
    const flow = await userTransfer(stack);
    const first = await challengeOf(flow);
    await resolveChallenge(stack, first, 'expire');
    await stack.advance(MINUTE);
    await approve(stack, await challengeOf(flow, first));
    return ended(stack, flow, { status: 'completed' });
  },
  'transfer.cancelledOnceNobodyCanApprove': async (stack) => {
    const flow = await userTransfer(stack);
    const id = await challengeOf(flow);
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    await resolveChallenge(stack, id, 'expire');
    return ended(stack, flow, { status: 'cancelled' });
  },
  'transfer.approvedAfterTheDeadline': async (stack) => {
    const flow = await userTransfer(stack, { deadline: '10 minutes', policy: 'fresh' });
    const id = await challengeOf(flow);
    await stack.advance(20 * MINUTE);
    await approve(stack, id);
    return ended(stack, flow, { status: 'completed', result: { approvedLate: true } });
  },
  'transfer.acceleratedByUser': async (stack) => {
    await next(stack, { stuck: true });
    const flow = await userTransfer(stack, { policy: 'accelerating' });
    const first = await challengeOf(flow);
    await approve(stack, first);
    await reach(stack, flow, ({ approval }) => approval !== undefined && approval.challengeId !== first);
    await approve(stack, await challengeOf(flow, first));
    return ended(stack, flow, { status: 'completed' });
  },
  'executeContract.callData': async (stack) => {
    const form = { abiFunctionSignature: undefined, abiParameters: undefined, callData: '0x', amount: '1' };
    return ended(stack, await contractCall(stack, { ...form, contractAddress: TO }), { status: 'completed' });
  },
  'executeContract.parametersRefused': async (stack) =>
    ended(stack, await contractCall(stack, { abiParameters: [TO] }), { status: 'failed', code: 155209 }),
  'executeContract.reverted': async (stack) => {
    const refused = { abiFunctionSignature: 'transferFrom(address,address,uint256)', abiParameters: [TO, TO, '1'] };
    const flow = await contractCall(stack, refused);
    await attention(stack, flow, 155208);
    await flow.decide('giveUp', await stack.as('ops'));
    return ended(stack, flow, { status: 'failed', code: 155208 });
  },
  'executeContract.feeRefused': async (stack) => {
    const flow = await contractCall(stack, { policy: 'thrifty' });
    await attention(stack, flow);
    await flow.decide('giveUp', await stack.as('ops'));
    return ended(stack, flow, { status: 'failed' });
  },
  'addUserWallets.completed': async (stack) => {
    const flow = await addUserWallets(stack);
    await approve(stack, await challengeOf(flow));
    return ended(stack, flow, { status: 'completed' });
  },
  'addUserWallets.declined': async (stack) => {
    const flow = await addUserWallets(stack);
    await resolveChallenge(stack, await challengeOf(flow), 'reject');
    return ended(stack, flow, { status: 'denied' });
  },
  'addUserWallets.waitingForApproval': async (stack) => {
    const flow = await addUserWallets(stack);
    await challengeOf(flow);
    return flow;
  },
  'changePin.completed': async (stack) => {
    const flow = await changePin(stack, 'change');
    await approve(stack, await challengeOf(flow), { pin: PIN, newPin: '271828' });
    return ended(stack, flow, { status: 'completed' });
  },
  'changePin.refused': async (stack) => ended(stack, await changePin(stack, 'set'), { status: 'failed', code: 155107 }),
  'changePin.waitingForApproval': async (stack) => {
    const flow = await changePin(stack, 'restore');
    await challengeOf(flow);
    return flow;
  },
  'signPayload.completed': async (stack) => {
    const { id } = await fundedWallet(stack);
    return ended(stack, await signMessage(stack, id), { status: 'completed', result: { deliveredTo: 'result' } });
  },
  'signPayload.notDeployed': async (stack) => {
    const { id } = await fundedWallet(stack, { accountType: 'SCA' });
    const flow = await signMessage(stack, id);
    await attention(stack, flow, 155517);
    await flow.decide('giveUp', await stack.as('ops'));
    return ended(stack, flow, { status: 'failed', code: 155517 });
  },
  'signPayload.deployedByDecision': async (stack) => {
    const { id } = await fundedWallet(stack, { accountType: 'SCA' });
    const flow = await signMessage(stack, id);
    await attention(stack, flow, 155517);
    await flow.decide('deploy', await stack.as('ops'));
    return ended(stack, flow, { status: 'completed', result: { deployment: { state: 'COMPLETE' } } });
  },
  'signPayload.deploymentReplyLost': async (stack) => {
    const { id } = await fundedWallet(stack, { accountType: 'SCA' });
    await fault(stack, 'createContractExecution', { drop: 'after' });
    return ended(stack, await signMessage(stack, id, { policy: 'deploying' }), { status: 'completed' });
  },
  'signPayload.deploymentFailed': async (stack) => {
    const { id } = await fundedWallet(stack, { accountType: 'SCA' });
    await next(stack, { fail: { errorReason: 'FAILED_ON_CHAIN' } });
    return ended(stack, await signMessage(stack, id, { policy: 'deploying' }), { status: 'failed' });
  },
  'signPayload.deployedByUser': async (stack) => {
    const { wallets } = await makePayer(stack, { accountType: 'SCA' });
    const flow = await signMessage(stack, wallets[0]!.id, { policy: 'deploying' });
    const first = await challengeOf(flow);
    await approve(stack, first);
    await reach(stack, flow, ({ approval }) => approval !== undefined && approval.challengeId !== first);
    await approve(stack, await challengeOf(flow, first));
    return ended(stack, flow, { status: 'completed', result: { deployment: { state: 'COMPLETE' } } });
  },
  'signPayload.waitingForDeployment': async (stack) => {
    const { id } = await fundedWallet(stack, { accountType: 'SCA' });
    await next(stack, SLOW);
    return following(await signMessage(stack, id, { policy: 'deploying' }));
  },
  'signPayload.waitingForDecisionOnDeployment': async (stack) => {
    const { id } = await fundedWallet(stack, { accountType: 'SCA' });
    return attention(stack, await signMessage(stack, id), 155517);
  },
  'signPayload.approvedByUser': async (stack) => {
    const { wallets } = await makePayer(stack);
    const flow = await signMessage(stack, wallets[0]!.id);
    await approve(stack, await challengeOf(flow));
    return ended(stack, flow, { status: 'completed', result: { deliveredTo: 'browser' } });
  },
  'signPayload.waitingForApproval': async (stack) => {
    const { wallets } = await makePayer(stack);
    const flow = await signMessage(stack, wallets[0]!.id);
    await challengeOf(flow);
    return flow;
  },
  'fundTestnet.completed': async (stack) => ended(stack, await fundTestnet(stack), { status: 'completed' }),
  'fundTestnet.lostReplyAdopted': async (stack) => {
    await fault(stack, 'requestDrip', { drop: 'after' });
    return ended(stack, await fundTestnet(stack), { status: 'completed' });
  },
  'fundTestnet.refused': async (stack) => {
    await fault(stack, 'requestDrip', { status: 400, code: 156027, when: 'before' });
    return ended(stack, await fundTestnet(stack), { status: 'failed', code: 156027 });
  },
  'fundTestnet.waitingToArrive': async (stack) => {
    await stack.world.control.call('POST', '/chains/ETH-SEPOLIA/pace', SLOW);
    const flow = await following(await fundTestnet(stack));
    await stack.world.control.call('POST', '/chains/ETH-SEPOLIA/pace', { confirmAfterMs: null });
    return flow;
  },
};
