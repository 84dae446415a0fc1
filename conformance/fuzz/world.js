/** Fills a world with resources, so that generated requests can refer to existing ids. */

const { randomUUID } = require('node:crypto');
const { encryptEntitySecret } = require('../../dist/src/crypto/entitySecret');
const { bodies } = require('./bodies');

/** An address outside the world. */
const EXTERNAL_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CHAINS = ['ETH-SEPOLIA', 'MATIC-AMOY', 'SOL-DEVNET'];
const TOTAL_SUPPLY = JSON.stringify([
  { type: 'function', name: 'totalSupply', stateMutability: 'view', inputs: [], outputs: [{ type: 'uint256' }] },
]);
const QUESTIONS = [
  { question: 'First pet?', answer: 'Rex' },
  { question: 'First school?', answer: 'Hill' },
];

/** @returns {Promise<object>} the world file that hooks.py reads */
async function fillWorld({ url, apiKey, entitySecret, control }, endpoint) {
  const call = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/v1/w3s${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
    });
    const json = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(json)}`);
    return json.data;
  };
  const { publicKey } = await call('GET', '/config/entity/publicKey');
  const effect = (path, body, headers) => call('POST', path, { idempotencyKey: randomUUID(), ...body }, headers);
  const withCiphertext = (path, body) =>
    effect(path, { entitySecretCiphertext: encryptEntitySecret(entitySecret, publicKey), ...body });

  const { walletSet } = await withCiphertext('/developer/walletSets', { name: 'fuzz' });
  const createWallets = (accountType, blockchains) =>
    withCiphertext('/developer/wallets', { walletSetId: walletSet.id, blockchains, accountType, count: 2 });
  const wallets = [
    ...(await createWallets('EOA', CHAINS)).wallets,
    ...(await createWallets('SCA', CHAINS.slice(0, 2))).wallets,
  ];
  const userId = randomUUID();
  await call('POST', '/users', { userId });
  const { userToken } = await call('POST', '/users/token', { userId });
  const { challengeId } = await effect('/user/initialize', { blockchains: CHAINS }, { 'x-user-token': userToken });
  await control('POST', `/challenges/${challengeId}/approve`, { newPin: '123456', questions: QUESTIONS });
  const { wallets: userWallets } = await call('GET', '/wallets', undefined, { 'x-user-token': userToken });

  const { tokens } = await control('GET', '/tokens');
  const fundedTokens = tokens.filter(
    ({ symbol, isNative, blockchain }) => CHAINS.includes(blockchain) && (isNative || symbol === 'USDC'),
  );
  for (const { id, blockchain } of [...wallets, ...userWallets]) {
    for (const token of fundedTokens.filter((one) => one.blockchain === blockchain)) {
      await control('POST', `/wallets/${id}/inbound`, { tokenId: token.id, amount: token.isNative ? '5' : '500' });
    }
  }
  await control('POST', '/clock/advance', { durationMs: 60_000 });
  const usdc = fundedTokens.find(({ symbol, blockchain }) => symbol === 'USDC' && blockchain === CHAINS[0]);
  const { transactions } = await call('GET', '/transactions');
  const { contract } = await effect('/contracts/import', {
    name: 'USDC',
    address: usdc.tokenAddress,
    blockchain: usdc.blockchain,
  });
  const burn = await control('POST', '/burns', {
    sourceDomain: 0,
    destinationDomain: 6,
    amount: '1000000',
    mintRecipient: EXTERNAL_ADDRESS,
  });
  const { templates } = await control('GET', '/templates');
  return {
    entitySecret,
    publicKey,
    userToken,
    bodies: bodies({
      wallet: wallets[0],
      userWallet: userWallets.find(({ blockchain }) => blockchain === CHAINS[0]),
      walletSetId: walletSet.id,
      token: usdc,
      contractAddress: usdc.tokenAddress,
      deviceId: randomUUID(),
      abi: TOTAL_SUPPLY,
    }),
    values: {
      walletSetId: [walletSet.id],
      walletId: [...wallets, ...userWallets].map(({ id }) => id),
      userId: [userId],
      tokenId: fundedTokens.map(({ id }) => id),
      transactionId: transactions.map(({ id }) => id),
      challengeId: [challengeId],
      contractId: [contract.id],
      templateId: templates.map(({ id }) => id),
      contractAddress: [contract.contractAddress, usdc.tokenAddress],
      address: [...wallets, ...userWallets].map(({ address }) => address).concat(EXTERNAL_ADDRESS),
      transactionHash: [burn.txHash],
      endpoint: [endpoint],
    },
  };
}

module.exports = { fillWorld };
