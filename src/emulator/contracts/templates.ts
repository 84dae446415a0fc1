import type { Abi } from 'viem';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { isAbiValue } from '../evm/abiValues';
import { AIRDROP_ABI, ERC1155_ABI, ERC20_ABI, ERC721_ABI } from '../evm/contracts/abis';
import type { ContractKind } from '../world/evmAction';

type ParameterType = 'text' | 'address' | 'share' | 'addresses';

/** A ready-made contract that the API can deploy. */
export interface Template {
  id: string;
  kind: ContractKind & ('ERC20' | 'ERC721' | 'ERC1155' | 'airdrop');
  abi: Abi;
  /** Decimals of its token. Undefined if the contract is not a token. */
  decimals?: number;
  parameters: Readonly<Record<string, { type: ParameterType; required?: true }>>;
}

const admin = { defaultAdmin: { type: 'address', required: true } } as const;
const metadata = { contractUri: { type: 'text' }, trustedForwarders: { type: 'addresses' } } as const;
const token = {
  name: { type: 'text', required: true },
  symbol: { type: 'text' },
  ...admin,
  primarySaleRecipient: { type: 'address', required: true },
  platformFeeRecipient: { type: 'address' },
  platformFeePercent: { type: 'share' },
  ...metadata,
} as const;
const collectible = {
  ...token,
  royaltyRecipient: { type: 'address', required: true },
  royaltyPercent: { type: 'share', required: true },
} as const;

/** Ids and parameters are those of Circle's documentation (Contracts, Templates overview). */
export const TEMPLATES: readonly Template[] = [
  { id: 'a1b74add-23e0-4712-88d1-6b3009e85a86', kind: 'ERC20', abi: ERC20_ABI, decimals: 18, parameters: token },
  { id: '76b83278-50e2-4006-8b63-5b1a2a814533', kind: 'ERC721', abi: ERC721_ABI, decimals: 0, parameters: collectible },
  {
    id: 'aea21da6-0aa2-4971-9a1a-5098842b1248',
    kind: 'ERC1155',
    abi: ERC1155_ABI,
    decimals: 0,
    parameters: collectible,
  },
  {
    id: '13e322f2-18dc-4f57-8eed-4bddfc50f85e',
    kind: 'airdrop',
    abi: AIRDROP_ABI,
    parameters: { ...admin, ...metadata },
  },
];

const PARAMETER_CHECKS: Record<ParameterType, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string' && value !== '',
  address: (value) => isAbiValue('address', value),
  addresses: (value) => isAbiValue('address[]', value),
  /** A fraction from 0 to 1, as a number or string. */
  share: (value) => {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value));
    return isNumber && Number(value) >= 0 && Number(value) <= 1;
  },
};

/**
 * Checks the parameters of a template's deployment. Unknown parameters are ignored.
 * @throws ApiErrorResponse 175204 a required parameter is missing, 175203 a parameter is invalid
 */
export function checkTemplateParameters(template: Template, values: Record<string, unknown>): void {
  const parameters = Object.entries(template.parameters);
  for (const [name, { required }] of parameters) {
    if (required && values[name] === undefined)
      throw new ApiErrorResponse(175204, { message: `templateParameters.${name}: missing` });
  }
  for (const [name, { type }] of parameters) {
    if (values[name] !== undefined && !PARAMETER_CHECKS[type](values[name])) {
      throw new ApiErrorResponse(175203, { message: `templateParameters.${name}: invalid` });
    }
  }
}
