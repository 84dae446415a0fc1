import { Transaction } from 'ethers';
import { STRANGER, type TestClient } from '../../emulator/chain/support';
import { action, delegateActionOf } from '../../emulator/signing/nearBorsh';

export function typedData(chainId: number): string {
  const types = { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], A: [{ name: 'a', type: 'uint8' }] };
  return JSON.stringify({ types, primaryType: 'A', domain: { chainId }, message: { a: 1 } });
}

export async function sign(client: TestClient) {
  const { id: walletId } = await client.wallet('EVM-TESTNET');
  await client.postWithKey('/developer/sign/message', { walletId, message: 'sample' });
  await client.postWithKey('/developer/sign/typedData', { walletId, data: typedData(97) });
  const fields = { to: STRANGER, nonce: 1, gasLimit: 21_000n, chainId: 97, type: 2, maxFeePerGas: 9n };
  const rawTransaction = Transaction.from(fields).unsignedSerialized;
  await client.postWithKey('/developer/sign/transaction', { walletId, rawTransaction });

  const near = await client.wallet('NEAR-TESTNET');
  const unsignedDelegateAction = delegateActionOf(near.address, Buffer.from(near.address, 'hex'), [action(0)]).toString(
    'base64',
  );
  await client.postWithKey('/developer/sign/delegateAction', { walletId: near.id, unsignedDelegateAction });
}
