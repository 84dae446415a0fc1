import { randomUUID } from 'node:crypto';
import { type TestClient, token } from '../emulator/chain/support';
import { payload, sendPii, US_EXCHANGE } from '../emulator/compliance/support';
import { importContract, parametersFor, TEMPLATE, TRANSFER } from '../emulator/contracts/support';
import { EmailLogin } from '../emulator/users/login';
import { TestUser } from '../emulator/users/support';

/** A request of one operation to a world's API. */
export interface Effect {
  /** POST by default. */
  method?: string;
  path: string;
  body?: object;
  /** The user whose token is sent. */
  user?: TestUser;
}

/** Prepares a request that is valid except for its missing idempotency key. */
export type Prepare = (client: TestClient) => Promise<Effect>;

interface Wallet {
  id: string;
  address: string;
  blockchain: string;
}

/** Bytecode of a contract whose constructor takes no parameters. */
const CODE = '0x6001600c60003960016000f300';
const PII = {
  customerJurisdiction: 'US',
  transactionAsset: 'USDC',
  transactionAmount: '5000000000',
  destination: US_EXCHANGE,
  ivms101: payload(),
};
const mailbox = () => `${randomUUID()}@example.com`;
const upgradeOf = ({ id }: { id: string }) => ({
  walletId: id,
  newScaCore: 'circle_6900_singleowner_v2',
  feeLevel: 'HIGH',
});
const transferOf = ({ id, address }: Wallet) => ({
  walletId: id,
  tokenId: token('ETH-SEPOLIA', 'USDC'),
  destinationAddress: address,
  amounts: ['1'],
  feeLevel: 'HIGH',
});

/** A request of every operation with an idempotency key. */
export const KEYED_REQUESTS = {
  createWalletSet: async () => ({ path: '/developer/walletSets', body: { name: 'a' } }),
  async createWallets(client) {
    const { walletSet } = (await client.postWithKey('/developer/walletSets')).data;
    return { path: '/developer/wallets', body: { walletSetId: walletSet.id, blockchains: ['ETH-SEPOLIA'] } };
  },
  async createTransfer(client) {
    const { id: walletId, address } = await funded(client);
    const tokenId = token('ETH-SEPOLIA', 'USDC');
    const body = { walletId, tokenId, destinationAddress: address, amounts: ['1'], feeLevel: 'HIGH' };
    return { path: '/developer/transactions/transfer', body };
  },
  async createContractExecution(client) {
    const { id: walletId, address } = await funded(client);
    const body = { walletId, contractAddress: address, callData: '0x00', feeLevel: 'HIGH' };
    return { path: '/developer/transactions/contractExecution', body };
  },
  async accelerateTransaction(client) {
    const wallet = await funded(client);
    await client.world.control.call('POST', '/transactions/next', { stuck: true });
    const { id } = (await client.transfer(wallet)).data;
    await client.settle();
    return { path: `/developer/transactions/${id}/accelerate` };
  },
  async cancelTransaction(client) {
    const { id } = (await client.transfer(await funded(client))).data;
    return { path: `/developer/transactions/${id}/cancel` };
  },
  async createWalletUpgrade(client) {
    const wallet = await deployedSca(client);
    return { path: '/developer/transactions/walletUpgrade', body: upgradeOf(wallet) };
  },
  async createUserWallets(client) {
    const { user } = await payer(client);
    return { user, path: '/user/wallets', body: { blockchains: ['ETH-SEPOLIA'] } };
  },
  async createUserTransfer(client) {
    const { user, wallet } = await payer(client);
    return { user, path: '/user/transactions/transfer', body: transferOf(wallet) };
  },
  async createUserContractExecution(client) {
    const { user, wallet } = await payer(client);
    const body = { walletId: wallet.id, contractAddress: wallet.address, callData: '0x00', feeLevel: 'HIGH' };
    return { user, path: '/user/transactions/contractExecution', body };
  },
  async createUserWalletUpgrade(client) {
    const { user, wallet } = await payer(client, 'SCA');
    await sentByUser(client, user, wallet);
    await client.settle();
    return { user, path: '/user/transactions/walletUpgrade', body: upgradeOf(wallet) };
  },
  async accelerateUserTransaction(client) {
    const { user, wallet } = await payer(client);
    await client.world.control.call('POST', '/transactions/next', { stuck: true });
    const id = await sentByUser(client, user, wallet);
    await client.settle();
    return { user, path: `/user/transactions/${id}/accelerate` };
  },
  async cancelUserTransaction(client) {
    const { user, wallet } = await payer(client);
    return { user, path: `/user/transactions/${await sentByUser(client, user, wallet)}/cancel` };
  },
  createSocialDeviceToken: async () => ({ path: '/users/social/token', body: { deviceId: randomUUID() } }),
  createEmailDeviceToken: async () => ({
    path: '/users/email/token',
    body: { deviceId: randomUUID(), email: mailbox() },
  }),
  async resendOtp(client) {
    const email = mailbox();
    const { deviceId, otpToken } = await EmailLogin.begin(client, email);
    return { path: '/users/resendOTP', body: { otpToken, email, deviceId } };
  },
  async refreshUserToken(client) {
    const login = await EmailLogin.begin(client, mailbox());
    const { body } = await login.enter();
    const { userToken, refreshToken } = body.data ?? body;
    const user = new TestUser(client, '', userToken, '');
    return { user, path: '/user/token/refresh', body: { refreshToken, deviceId: login.deviceId } };
  },
  initializeUser: async (client) => ({ user: await TestUser.create(client), path: '/user/initialize' }),
  createUserPin: async (client) => ({ user: await TestUser.create(client), path: '/user/pin' }),
  updateUserPin: async (client) => ({ user: await TestUser.initialized(client), path: '/user/pin', method: 'PUT' }),
  restoreUserPin: async (client) => ({ user: await TestUser.initialized(client), path: '/user/pin/restore' }),
  screenAddress: async () => ({
    path: '/compliance/screening/addresses',
    body: { address: US_EXCHANGE, chain: 'ETH-SEPOLIA' },
  }),
  sendPii: async () => ({ path: '/compliance/travelRule/sendPii', body: PII }),
  uploadOwnershipProof: async () => ({
    path: '/compliance/travelRule/uploadOwnershipProof',
    body: { transactionAsset: 'USDC', address: US_EXCHANGE, type: 'self-declaration', proof: 'It is mine' },
  }),
  async updateTravelRuleMessage(client) {
    const { body } = await sendPii(client);
    const { travelRuleId } = body.data ?? body;
    return { path: `/compliance/travelRule/${travelRuleId}`, method: 'PUT', body: { txHash: '0x01' } };
  },
  importContract: async (client) => ({
    path: '/contracts/import',
    body: { blockchain: 'ETH-SEPOLIA', address: await newContract(client), name: 'a' },
  }),
  async deployContract(client) {
    const { id: walletId, blockchain } = await funded(client);
    const body = { walletId, blockchain, name: 'a', abiJson: '[]', bytecode: CODE, feeLevel: 'HIGH' };
    return { path: '/contracts/deploy', body };
  },
  async deployContractTemplate(client) {
    const wallet = await funded(client);
    const { id: walletId, blockchain } = wallet;
    const templateParameters = parametersFor(wallet);
    const body = { walletId, blockchain, name: 'a', templateParameters, feeLevel: 'HIGH' };
    return { path: `/templates/${TEMPLATE.ERC20}/deploy`, body };
  },
  async createEventMonitor(client) {
    const [contractAddress] = await imported(client);
    return {
      path: '/contracts/monitors',
      body: { blockchain: 'ETH-SEPOLIA', contractAddress, eventSignature: TRANSFER },
    };
  },
} satisfies Record<string, Prepare>;

/** A new user with a funded wallet. */
export async function payer(client: TestClient, accountType = 'EOA') {
  const user = await TestUser.initialized(client, ['ETH-SEPOLIA'], accountType);
  const wallet = (await user.get('/wallets')).data.wallets[0] as Wallet;
  await client.fund(wallet, { native: '2', USDC: '5' });
  return { user, wallet };
}

/** Sends a transfer that the user approves. @returns the transaction's id */
async function sentByUser(client: TestClient, user: TestUser, wallet: Wallet): Promise<string> {
  const { data } = await user.postWithKey('/user/transactions/transfer', transferOf(wallet));
  await user.approve(data.challengeId);
  return (await user.challenge(data.challengeId)).correlationIds[0];
}

async function deployedSca(client: TestClient) {
  const wallet = await client.fundedWallet('ETH-SEPOLIA', 'SCA');
  await client.transfer(wallet);
  await client.settle();
  return wallet;
}

export async function newContract(client: TestClient): Promise<string> {
  const created = await client.world.control.call<{ address: string }>('POST', '/contracts', {
    blockchain: 'ETH-SEPOLIA',
  });
  return created.address;
}

/** Imports three contracts, one second apart. @returns their addresses */
export async function imported(client: TestClient): Promise<string[]> {
  const addresses = [];
  for (let n = 0; n < 3; n++) {
    const address = await newContract(client);
    await importContract(client, { address, name: `c${n}` });
    await client.world.control.advance(1_000);
    addresses.push(address);
  }
  return addresses;
}

export async function funded(client: TestClient) {
  const wallet = await client.wallet();
  await client.fund(wallet, { native: '2', USDC: '5' });
  return wallet;
}
