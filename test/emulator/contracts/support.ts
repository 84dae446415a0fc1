import { randomUUID } from 'node:crypto';
import type { Chain } from '../chain/support';

export const TEMPLATE = {
  ERC20: 'a1b74add-23e0-4712-88d1-6b3009e85a86',
  ERC721: '76b83278-50e2-4006-8b63-5b1a2a814533',
  ERC1155: 'aea21da6-0aa2-4971-9a1a-5098842b1248',
  airdrop: '13e322f2-18dc-4f57-8eed-4bddfc50f85e',
} as const;
/** Where they really are. */
export const USDC = { 'ETH-SEPOLIA': '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238' } as const;
export const TRANSFER = 'Transfer(address,address,uint256)';

interface Wallet {
  id: string;
  address: string;
  blockchain: string;
}

/** Imports a contract, USDC on Ethereum's testnet unless told otherwise. */
export function importContract(chain: Chain, body: object = {}) {
  return chain.send('POST', '/contracts/import', {
    idempotencyKey: randomUUID(),
    name: 'USDC',
    address: USDC['ETH-SEPOLIA'],
    blockchain: 'ETH-SEPOLIA',
    ...body,
  });
}

export function monitor(chain: Chain, body: object = {}) {
  return chain.send('POST', '/contracts/monitors', {
    idempotencyKey: randomUUID(),
    blockchain: 'ETH-SEPOLIA',
    contractAddress: USDC['ETH-SEPOLIA'],
    eventSignature: TRANSFER,
    ...body,
  });
}

export function query(chain: Chain, body: object) {
  return chain.send('POST', '/contracts/query', {
    blockchain: 'ETH-SEPOLIA',
    address: USDC['ETH-SEPOLIA'],
    ...body,
  });
}

/** Deploys byte code with a constructor of no parameters. */
export function deploy(chain: Chain, wallet: Wallet, body: object = {}) {
  return chain.effect('/contracts/deploy', {
    name: 'Ledger1',
    walletId: wallet.id,
    blockchain: wallet.blockchain,
    abiJson: '[]',
    bytecode: '0x6001600c60003960016000f300',
    feeLevel: 'MEDIUM',
    ...body,
  });
}

export function deployTemplate(chain: Chain, wallet: Wallet, template: keyof typeof TEMPLATE, body: object = {}) {
  return chain.effect(`/templates/${TEMPLATE[template]}/deploy`, {
    name: 'My token',
    walletId: wallet.id,
    blockchain: wallet.blockchain,
    feeLevel: 'MEDIUM',
    templateParameters: parametersFor(wallet),
    ...body,
  });
}

/** Enough for every template. */
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

/** Deploys a template, waits until it is final, and gives its address. */
export async function deployed(chain: Chain, wallet: Wallet, template: keyof typeof TEMPLATE): Promise<string> {
  const { data } = await deployTemplate(chain, wallet, template);
  await chain.settle();
  const answer = await chain.get(`/contracts/${data.contractIds[0]}`);
  return answer.data.contract.contractAddress as string;
}

/** A contract call. */
export function call(
  chain: Chain,
  wallet: Wallet,
  contractAddress: string,
  signature: string,
  ...parameters: unknown[]
) {
  return chain.effect('/developer/transactions/contractExecution', {
    walletId: wallet.id,
    contractAddress,
    abiFunctionSignature: signature,
    abiParameters: parameters,
    feeLevel: 'MEDIUM',
  });
}

/** The same, until it is final. */
export async function called(
  chain: Chain,
  wallet: Wallet,
  contractAddress: string,
  signature: string,
  ...parameters: unknown[]
) {
  const { data } = await call(chain, wallet, contractAddress, signature, ...parameters);
  await chain.settle();
  return chain.transaction(data.id as string);
}

/** Its estimate. */
export function estimate(
  chain: Chain,
  wallet: Wallet,
  contractAddress: string,
  abiFunctionSignature: string,
  ...abiParameters: unknown[]
) {
  return chain.send('POST', '/transactions/contractExecution/estimateFee', {
    walletId: wallet.id,
    contractAddress,
    abiFunctionSignature,
    abiParameters,
  });
}
