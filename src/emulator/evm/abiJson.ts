import type { Abi, AbiEvent, AbiFunction } from 'viem';
import { toEventSelector, toFunctionSelector } from 'viem/utils';
import { z } from 'zod';
import { jsonProblem } from '../../domain/json';
import { ApiErrorResponse } from '../errors/apiErrorResponse';

const parameter: z.ZodType<{ type: string; components?: unknown[] | undefined }> = z
  .looseObject({
    type: z.string(),
    name: z.string().optional(),
    indexed: z.boolean().optional(),
    components: z.lazy(() => z.array(parameter)).optional(),
  })
  .refine(({ type, components }) => !type.startsWith('tuple') || components !== undefined);
const parameters = z.array(parameter);

/** The fields of ABI items that the emulator reads. Other fields are kept unchanged. */
const items = z.array(
  z.discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('function'),
      name: z.string(),
      inputs: parameters,
      outputs: parameters.default([]),
      stateMutability: z.string().optional(),
    }),
    z.looseObject({
      type: z.literal('event'),
      name: z.string(),
      inputs: parameters,
      anonymous: z.boolean().optional(),
    }),
    z.looseObject({ type: z.literal('constructor'), inputs: parameters.default([]) }),
    z.looseObject({ type: z.literal('error'), name: z.string(), inputs: parameters }),
    z.looseObject({ type: z.enum(['fallback', 'receive']) }),
  ]),
);

/** Parses an ABI from JSON. @throws ApiErrorResponse 175007 */
export function parseAbiJson(text: string): Abi {
  try {
    const json: unknown = JSON.parse(text);
    if (jsonProblem(json)) throw new ApiErrorResponse(175007);
    const abi = items.parse(json) as unknown as Abi;
    // Throws here if an item has no valid selector, because items are looked up by selector later.
    for (const item of abi) {
      if (item.type === 'function') toFunctionSelector(item satisfies AbiFunction);
      if (item.type === 'event') toEventSelector(item satisfies AbiEvent);
    }
    return abi;
  } catch {
    throw new ApiErrorResponse(175007);
  }
}
