import { randomUUID } from 'node:crypto';
import { Transaction } from 'ethers';
import { action, delegateActionOf } from '../../emulator/signing/nearBorsh';
import { callOf } from '../contractCalls';
import { typedData } from '../sampleStory/signing';
import type { Stack } from '../stack';
import { RECIPIENT, transferOf } from '../transfers';
import { emptyWallet, fundedWallet } from '../wallets';
import type { Script, Scripts } from './script';

const CHAIN = 'ETH-SEPOLIA';
/** Longer than any script. */
const DAYS = 48 * 60 * 60_000;

/** Cancels the flow once something exists that only the API can cancel. */
export function cancelling(stack: Stack): NonNullable<Script['play']> {
  let isAsked = false;
  return async (flow, { pastPointOfNoReturn }) => {
    if (!pastPointOfNoReturn || isAsked) return;
    isAsked = true;
    await flow.cancel(await stack.as('ops'));
  };
}

export const signatureOf = (walletId: string, payload: object): Script => ({
  flow: 'signPayload',
  input: { ref: `s-${randomUUID()}`, walletId, payload } as Script['input'],
});

export const planNext = ({ world }: Stack, outcome: object) =>
  world.control.call('POST', '/transactions/next', outcome);
export const PLANS = { stuck: { stuck: true }, slow: { confirmAfterMs: DAYS } } as const;

/** The flows of developer wallets. */
export const DEVELOPER_SCRIPTS: Scripts = {
  async transfer(stack) {
    return { flow: 'transfer', input: transferOf(await fundedWallet(stack)) };
  },
  async 'transfer, lost reply'(stack) {
    const input = transferOf(await fundedWallet(stack));
    await stack.world.control.addFault({ operation: 'createTransfer', count: 1, action: { drop: 'after' } });
    return { flow: 'transfer', input };
  },
  async 'transfer, stuck'(stack) {
    const input = transferOf(await fundedWallet(stack));
    await planNext(stack, PLANS.stuck);
    return { flow: 'transfer', input };
  },
  async 'transfer, cancelled'(stack) {
    const input = transferOf(await fundedWallet(stack));
    await planNext(stack, PLANS.slow);
    return { flow: 'transfer', input, play: cancelling(stack) };
  },
  async 'contract call'(stack) {
    return { flow: 'executeContract', input: callOf(await fundedWallet(stack)) };
  },
  async 'contract call, lost reply'(stack) {
    const input = callOf(await fundedWallet(stack));
    await stack.world.control.addFault({ operation: 'createContractExecution', count: 1, action: { drop: 'after' } });
    return { flow: 'executeContract', input };
  },
  async 'signature of a message'(stack) {
    const { id } = await emptyWallet(stack, { blockchain: CHAIN, accountType: 'EOA' });
    return signatureOf(id, { kind: 'message', message: 'sample' });
  },
  async 'signature of typed data'(stack) {
    const { id } = await emptyWallet(stack, { blockchain: CHAIN, accountType: 'EOA' });
    return signatureOf(id, { kind: 'typedData', data: typedData(11_155_111) });
  },
  async 'signature of a transaction'(stack) {
    const { id } = await emptyWallet(stack, { blockchain: CHAIN, accountType: 'EOA' });
    const fields = { to: RECIPIENT, nonce: 1, gasLimit: 21_000n, chainId: 11_155_111, type: 2, maxFeePerGas: 9n };
    return signatureOf(id, { kind: 'transaction', rawTransaction: Transaction.from(fields).unsignedSerialized });
  },
  async 'signature of a delegate action'(stack) {
    const { id, address } = await emptyWallet(stack, { blockchain: 'NEAR-TESTNET', accountType: 'EOA' });
    const unsigned = delegateActionOf(address, Buffer.from(address, 'hex'), [action(0)]);
    return signatureOf(id, { kind: 'delegateAction', unsignedDelegateAction: unsigned.toString('base64') });
  },
  async fundTestnet(stack) {
    const { id } = await emptyWallet(stack, { blockchain: CHAIN, accountType: 'EOA' });
    return { flow: 'fundTestnet', input: { ref: `f-${randomUUID()}`, walletId: id, native: true } as Script['input'] };
  },
};
