import { randomUUID } from 'node:crypto';
import { SCOPES, SIGNALS } from '../../src/domain/messages';
import { signalOnce } from '../../src/temporal/signalOnce';
import { resetToLastCall } from '../support/history';
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
  userContractCall,
  userTransfer,
} from './starts';

/** Scenarios of flows by their endings. Keys: `<flow>.<scenario>`. A flow whose scenario begins with `waiting` is still running. */
export const FLOW_SCENARIOS: Record<string, RunScenario> = {
  'transfer.completed': async (stack) => ended(stack, await transfer(stack), { status: 'completed' }),
  'transfer.completedUnderReplayedKey': async (stack) => {
    await stack.world.control.changeSettings({ idempotency: 'replay' });
    await fault(stack, 'createTransfer', { drop: 'after' });
    const flow = await ended(stack, await transfer(stack), { status: 'completed' });
    await stack.world.control.changeSettings({ idempotency: 'reject' });
    return flow;
  },
  'transfer.lostReplyAdopted': async (stack) => {
    await fault(stack, 'createTransfer', { drop: 'after' });
    return ended(stack, await transfer(stack), { status: 'completed' });
  },
  'transfer.unknownOutcomeRetried': async (stack) => {
    await fault(stack, 'createTransfer', { status: 403, code: 156020, when: 'before' });
    const flow = await transfer(stack);
    await attention(stack, flow, 156020);
    await flow.decide('lookAgain', await stack.as('ops'));
    await attention(stack, flow, 156020);
    await flow.decide('retry', await stack.as('ops'));
    return ended(stack, flow, { status: 'completed' });
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
  'transfer.failedOnChain': async (stack) => {
    await next(stack, { fail: { errorReason: 'FAILED_ON_CHAIN' } });
    return ended(stack, await transfer(stack), { status: 'failed', reason: 'FAILED_ON_CHAIN' });
  },
  'transfer.denied': async (stack) => {
    await next(stack, { deny: true });
    return ended(stack, await transfer(stack), { status: 'denied' });
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
  'transfer.feeAccepted': async (stack) => {
    const flow = await transfer(stack, { policy: 'thrifty' });
    await attention(stack, flow);
    await flow.decide('acceptFee', await stack.as('ops'));
    return ended(stack, flow, { status: 'completed' });
  },
  'transfer.cancelledAtGate': async (stack) => {
    const flow = await transfer(stack, { amount: TOO_MUCH });
    await attention(stack, flow, 155205);
    expect(await flow.cancel(await stack.as('ops'))).toBe('accepted');
    return ended(stack, flow, { status: 'cancelled' });
  },
  'transfer.cancelledWhileReading': async (stack) => {
    await fault(stack, 'getToken', { delayMs: 3 * SECOND });
    const flow = await transfer(stack);
    await until(async () => (await flow.progress()).step === 'validate');
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
  'transfer.cancelledAtApi': async (stack) => {
    await next(stack, SLOW);
    const flow = await following(await transfer(stack));
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
  'transfer.stuckThenAccelerated': async (stack) => {
    await next(stack, { stuck: true });
    return ended(stack, await transfer(stack, { policy: 'accelerating' }), { status: 'completed' });
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
  'transfer.waitingToBeFinal': async (stack) => {
    await next(stack, SLOW);
    return following(await transfer(stack));
  },
  'transfer.waitingForFunds': async (stack) => attention(stack, await transfer(stack, { amount: TOO_MUCH }), 155205),
  'transfer.waitingForDecisionOnStuck': async (stack) => {
    await next(stack, { stuck: true });
    return attention(stack, await transfer(stack));
  },
  'transfer.approvedByUser': async (stack) => {
    const flow = await userTransfer(stack);
    await approve(stack, await challengeOf(flow));
    return ended(stack, flow, { status: 'completed' });
  },
  'transfer.declinedByUser': async (stack) => {
    const flow = await userTransfer(stack);
    await resolveChallenge(stack, await challengeOf(flow), 'reject');
    return ended(stack, flow, { status: 'denied', code: 155701 });
  },
  'transfer.newChallengeAfterExpiry': async (stack) => {
    const flow = await userTransfer(stack);
    const first = await challengeOf(flow);
    await resolveChallenge(stack, first, 'expire');
    await stack.advance(MINUTE);
    await approve(stack, await challengeOf(flow, first));
    return ended(stack, flow, { status: 'completed' });
  },
  'transfer.checkedAgainAfterExpiry': async (stack) => {
    const flow = await userTransfer(stack, { policy: 'fresh' });
    const first = await challengeOf(flow);
    await stack.advance(10 * MINUTE);
    await resolveChallenge(stack, first, 'expire');
    await stack.advance(3 * MINUTE);
    await approve(stack, await challengeOf(flow, first));
    return ended(stack, flow, { status: 'completed' });
  },
  'transfer.reset': async (stack) => {
    await next(stack, SLOW);
    const flow = await following(await transfer(stack));
    await resetToLastCall(stack.flows.client, flow.workflowId, 'createTransfer');
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
  'transfer.waitingForApproval': async (stack) => {
    const flow = await userTransfer(stack);
    await challengeOf(flow);
    return flow;
  },
  'executeContract.completed': async (stack) => ended(stack, await contractCall(stack), { status: 'completed' }),
  'executeContract.callData': async (stack) => {
    const form = { abiFunctionSignature: undefined, abiParameters: undefined, callData: '0x', amount: '1' };
    return ended(stack, await contractCall(stack, { ...form, contractAddress: TO }), { status: 'completed' });
  },
  'executeContract.lostReplyAdopted': async (stack) => {
    await fault(stack, 'createContractExecution', { drop: 'after' });
    return ended(stack, await contractCall(stack), { status: 'completed' });
  },
  'executeContract.unknownOutcomeRetried': async (stack) => {
    await fault(stack, 'createContractExecution', { status: 403, code: 156020, when: 'before' });
    const flow = await contractCall(stack);
    await attention(stack, flow, 156020);
    await flow.decide('lookAgain', await stack.as('ops'));
    await attention(stack, flow, 156020);
    await flow.decide('retry', await stack.as('ops'));
    return ended(stack, flow, { status: 'completed' });
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
  'executeContract.failedOnChain': async (stack) => {
    await next(stack, { fail: { errorReason: 'FAILED_ON_CHAIN' } });
    return ended(stack, await contractCall(stack), { status: 'failed', reason: 'FAILED_ON_CHAIN' });
  },
  'executeContract.denied': async (stack) => {
    await next(stack, { deny: true });
    return ended(stack, await contractCall(stack), { status: 'denied' });
  },
  'executeContract.feeAccepted': async (stack) => {
    const flow = await contractCall(stack, { policy: 'thrifty' });
    await attention(stack, flow);
    await flow.decide('acceptFee', await stack.as('ops'));
    return ended(stack, flow, { status: 'completed' });
  },
  'executeContract.feeRefused': async (stack) => {
    const flow = await contractCall(stack, { policy: 'thrifty' });
    await attention(stack, flow);
    await flow.decide('giveUp', await stack.as('ops'));
    return ended(stack, flow, { status: 'failed' });
  },
  'executeContract.cancelledWhileReading': async (stack) => {
    await fault(stack, 'getDeveloperWallet', { delayMs: 3 * SECOND });
    const flow = await contractCall(stack);
    await until(async () => (await flow.progress()).step === 'validate');
    expect(await flow.cancel(await stack.as('ops'))).toBe('accepted');
    return ended(stack, flow, { status: 'cancelled' });
  },
  'executeContract.cancelledAtApi': async (stack) => {
    await next(stack, SLOW);
    const flow = await following(await contractCall(stack));
    expect(await flow.cancel(await stack.as('ops'))).toBe('undecided');
    return ended(stack, flow, { status: 'cancelled' });
  },
  'executeContract.stuckThenAccelerated': async (stack) => {
    await next(stack, { stuck: true });
    return ended(stack, await contractCall(stack, { policy: 'accelerating' }), { status: 'completed' });
  },
  'executeContract.reset': async (stack) => {
    await next(stack, SLOW);
    const flow = await following(await contractCall(stack));
    await resetToLastCall(stack.flows.client, flow.workflowId, 'createContractExecution');
    return ended(stack, flow, { status: 'completed' });
  },
  'executeContract.waitingToBeFinal': async (stack) => {
    await next(stack, SLOW);
    return following(await contractCall(stack));
  },
  'executeContract.approvedByUser': async (stack) => {
    const flow = await userContractCall(stack);
    await approve(stack, await challengeOf(flow));
    return ended(stack, flow, { status: 'completed' });
  },
  'executeContract.declinedByUser': async (stack) => {
    const flow = await userContractCall(stack);
    await resolveChallenge(stack, await challengeOf(flow), 'reject');
    return ended(stack, flow, { status: 'denied', code: 155701 });
  },
  'executeContract.checkedAgainAfterExpiry': async (stack) => {
    const flow = await userContractCall(stack, { policy: 'fresh' });
    const first = await challengeOf(flow);
    await stack.advance(10 * MINUTE);
    await resolveChallenge(stack, first, 'expire');
    await stack.advance(3 * MINUTE);
    await approve(stack, await challengeOf(flow, first));
    return ended(stack, flow, { status: 'completed' });
  },
  'executeContract.waitingForApproval': async (stack) => {
    const flow = await userContractCall(stack);
    await challengeOf(flow);
    return flow;
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
    return ended(stack, await signMessage(stack, id), { status: 'failed', code: 155517 });
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
