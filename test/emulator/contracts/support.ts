import { randomUUID } from 'node:crypto';
import type { TestClient } from '../chain/support';

export const TEMPLATE = {
  ERC20: 'a1b74add-23e0-4712-88d1-6b3009e85a86',
  ERC721: '76b83278-50e2-4006-8b63-5b1a2a814533',
  ERC1155: 'aea21da6-0aa2-4971-9a1a-5098842b1248',
  airdrop: '13e322f2-18dc-4f57-8eed-4bddfc50f85e',
} as const;
/** The real contract addresses. */
export const USDC = { 'ETH-SEPOLIA': '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238' } as const;
export const TRANSFER = 'Transfer(address,address,uint256)';

interface Wallet {
  id: string;
  address: string;
  blockchain: string;
}

/** Imports a contract; by default USDC on Ethereum's testnet. */
export function importContract(client: TestClient, body: object = {}) {
  return client.send('POST', '/contracts/import', {
    idempotencyKey: randomUUID(),
    name: 'USDC',
    address: USDC['ETH-SEPOLIA'],
    blockchain: 'ETH-SEPOLIA',
    ...body,
  });
}

export function monitor(client: TestClient, body: object = {}) {
  return client.send('POST', '/contracts/monitors', {
    idempotencyKey: randomUUID(),
    blockchain: 'ETH-SEPOLIA',
    contractAddress: USDC['ETH-SEPOLIA'],
    eventSignature: TRANSFER,
    ...body,
  });
}

export function query(client: TestClient, body: object) {
  return client.send('POST', '/contracts/query', {
    blockchain: 'ETH-SEPOLIA',
    address: USDC['ETH-SEPOLIA'],
    ...body,
  });
}

/** Deploys byte code whose constructor has no parameters. */
export function deploy(client: TestClient, wallet: Wallet, body: object = {}) {
  return client.postWithKey('/contracts/deploy', {
    name: 'Ledger1',
    walletId: wallet.id,
    blockchain: wallet.blockchain,
    abiJson: '[]',
    bytecode: '0x6001600c60003960016000f300',
    feeLevel: 'MEDIUM',
    ...body,
  });
}

export function deployTemplate(client: TestClient, wallet: Wallet, template: keyof typeof TEMPLATE, body: object = {}) {
  return client.postWithKey(`/templates/${TEMPLATE[template]}/deploy`, {
    name: 'My token',
    walletId: wallet.id,
    blockchain: wallet.blockchain,
    feeLevel: 'MEDIUM',
    templateParameters: parametersFor(wallet),
    ...body,
  });
}

/** Parameters that suffice for every template. */
export function parametersFor({ address }: { address: string }) {
  return {
    name: 'Points',
    symbol: 'PTS',
    defaultAdmin: address,
    primarySaleRecipient: address,
    royaltyRecipient: address,
    royaltyPercent: '0.05',
  };
}

/** Deploys a template and waits until it is final. @returns the contract's address */
export async function deployAndSettle(
  client: TestClient,
  wallet: Wallet,
  template: keyof typeof TEMPLATE,
): Promise<string> {
  const { data } = await deployTemplate(client, wallet, template);
  await client.settle();
  const response = await client.get(`/contracts/${data.contractIds[0]}`);
  return response.data.contract.contractAddress as string;
}

/** Sends a contract call. */
export function call(
  client: TestClient,
  wallet: Wallet,
  contractAddress: string,
  signature: string,
  ...parameters: unknown[]
) {
  return client.postWithKey('/developer/transactions/contractExecution', {
    walletId: wallet.id,
    contractAddress,
    abiFunctionSignature: signature,
    abiParameters: parameters,
    feeLevel: 'MEDIUM',
  });
}

/** Sends a contract call and waits until it is final. @returns the transaction */
export async function callAndSettle(
  client: TestClient,
  wallet: Wallet,
  contractAddress: string,
  signature: string,
  ...parameters: unknown[]
) {
  const { data } = await call(client, wallet, contractAddress, signature, ...parameters);
  await client.settle();
  return client.transaction(data.id as string);
}

/** Estimates the fee of a contract call. */
export function estimate(
  client: TestClient,
  wallet: Wallet,
  contractAddress: string,
  abiFunctionSignature: string,
  ...abiParameters: unknown[]
) {
  return client.send('POST', '/transactions/contractExecution/estimateFee', {
    walletId: wallet.id,
    contractAddress,
    abiFunctionSignature,
    abiParameters,
  });
}
