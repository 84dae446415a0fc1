import { STRANGER, type TestClient, token } from '../../emulator/chain/support';
import { CHAIN, ending, REVIEWED } from './addresses';

export async function moveTokens(client: TestClient) {
  const wallet = await client.fundedWallet();
  await client.get(`/wallets/${wallet.id}/balances`);
  for (const symbol of ['USDC', 'native']) await client.get(`/tokens/${token(CHAIN, symbol)}`);
  await client.send('POST', '/faucet/drips', { address: wallet.address, blockchain: CHAIN, usdc: true });
  await client.send('POST', '/transactions/validateAddress', { address: STRANGER, blockchain: CHAIN });
  const movement = { walletId: wallet.id, tokenId: token(CHAIN, 'USDC'), destinationAddress: STRANGER };
  await client.send('POST', '/transactions/transfer/estimateFee', { ...movement, amounts: ['1'] });

  const sent = (await client.transfer(wallet)).data;
  await client.transaction(sent.id);
  await client.settle();
  await client.transaction(sent.id);

  // One that nobody screens, on its way to a block.
  await client.world.control.changeSettings({ transactionScreening: false });
  const unscreened = (await client.transfer(wallet)).data;
  await client.world.control.advance(1_000);
  await client.transaction(unscreened.id);
  await client.world.control.changeSettings({ transactionScreening: true });
  await client.settle();

  // One that fails on the blockchain, and one that is stuck until its fee is raised.
  await client.world.control.call('POST', '/transactions/next', { fail: { errorReason: 'FAILED_ON_CHAIN' } });
  const failed = (await client.transfer(wallet)).data;
  await client.settle();
  await client.transaction(failed.id);
  const cheap = { feeLevel: undefined, gasLimit: '65000', maxFee: '5', priorityFee: '1' };
  const stuck = (await client.transfer(wallet, cheap)).data;
  await client.settle();
  await client.postWithKey(`/developer/transactions/${stuck.id}/accelerate`);
  await client.settle();

  // NFTs, and a deposit that is not final yet.
  const nfts = { tokenId: token(CHAIN, 'SEDN'), nftTokenIds: ['71', '72'] };
  for (const nftTokenId of nfts.nftTokenIds) {
    const { tokenId } = nfts;
    await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, { tokenId, nftTokenId, amount: '3' });
  }
  await client.settle();
  await client.world.control.call('PUT', `/tokens/${nfts.tokenId}/metadata`, {
    metadata: 'ipfs://walletflow-sample/12',
  });
  await client.get(`/wallets/${wallet.id}/nfts`);
  const gift = { ...nfts, amounts: ['1', '2'], destinationAddress: ending(REVIEWED) };
  const given = (await client.transfer(wallet, gift)).data;
  await client.settle();
  await client.transaction(given.id);
  const { data } = await client.get(`/transactions?walletIds=${wallet.id}&txType=INBOUND&pageSize=50`);
  for (const { id } of data.transactions) await client.transaction(id);
  await client.world.control.call('POST', `/wallets/${wallet.id}/inbound`, {
    tokenId: token(CHAIN, 'USDC'),
    amount: '4',
  });
  await client.world.control.advance(13_000);
  await client.get(`/transactions?walletIds=${wallet.id}&txType=INBOUND`);

  await client.send('POST', '/config/entity/monitoredTokens', { tokenIds: [token(CHAIN, 'USDC')] });
  await client.get('/config/entity/monitoredTokens');
  await client.send('PUT', '/config/entity/monitoredTokens/scope', { scope: 'MONITOR_ALL' });
}
