import type { Hex } from 'viem';
import { hashTypedData } from 'viem/utils';
import { z } from 'zod';
import type { Blockchain } from '../../domain/chains';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import { requireChainId } from './chainId';

const field = z.object({ name: z.string(), type: z.string() });
const typedData = z.object({
  types: z.record(z.string(), z.array(field)),
  primaryType: z.string(),
  domain: z.record(z.string(), z.unknown()),
  message: z.record(z.string(), z.unknown()),
});
const chainIdValue = z.union([z.int().nonnegative(), z.string().regex(/^(?:\d+|0x[0-9a-f]+)$/i)]);

/**
 * The hash that is signed for EIP-712 data.
 * @param json valid JSON
 * @param blockchain of the wallet that signs
 * @throws ApiErrorResponse 156026 not EIP-712, 155808 the domain has no chain id or its declared type omits it,
 * 155807 unsupported chain id
 */
export function typedDataHash(json: string, blockchain: Blockchain): Hex {
  const { success, data } = typedData.safeParse(JSON.parse(json));
  if (!success) throw new ApiErrorResponse(156026);
  const { domain, types } = data;
  const declared = types.EIP712Domain?.some(({ name }) => name === 'chainId') ?? true;
  const isNamed = declared && domain.chainId !== undefined;
  requireChainId(blockchain, isNamed ? chainIdOf(domain.chainId) : undefined);
  try {
    return hashTypedData(data as Parameters<typeof hashTypedData>[0]);
  } catch {
    throw new ApiErrorResponse(156026);
  }
}

/** @throws ApiErrorResponse 156026 not a number */
function chainIdOf(value: unknown): bigint {
  const { success, data } = chainIdValue.safeParse(value);
  if (!success) throw new ApiErrorResponse(156026);
  return BigInt(data);
}
