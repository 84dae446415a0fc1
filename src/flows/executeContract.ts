import { z } from 'zod';
import { MAX_CALL_BYTES } from '../domain/callParameters';
import { CONTRACT_BLOCKCHAINS } from '../domain/chains';
import { jsonBytes } from '../domain/jsonBytes';
import { jsonProblem } from '../domain/json';
import { MAX_TEXT_LENGTH } from '../domain/forms';
import { defineFlow } from './definition';
import { fee, feeProblems } from './fee';
import { amount, deadline } from './fields';
import { source, type Source, sourceProblems } from './source';
import type { TransactionResult } from './transactionResult';

const ExecuteContractInput = z.strictObject({
  from: source,
  contractAddress: z
    .string({ error: 'must be a string' })
    .regex(/^0x[0-9a-fA-F]{40}$/, { error: 'is not an address of a contract; use 0x and 40 hexadecimal digits' })
    .describe('EVM address of the contract'),
  /** The function, and a value for each of its parameters. */
  abiFunctionSignature: z
    .string({ error: 'must be a string such as "transfer(address,uint256)"' })
    .max(MAX_TEXT_LENGTH, {
      error: `must have at most ${MAX_TEXT_LENGTH} characters; give a longer call as \`callData\``,
    })
    .describe('function with the types of its parameters, such as "transfer(address,uint256)"')
    .optional(),
  abiParameters: z
    .array(z.unknown(), { error: 'must be a list with a value for each parameter' })
    .describe('list with a value for each parameter; whole numbers as strings of digits, tuples as lists')
    .optional(),
  /** Instead of a function: the encoded call. */
  callData: z
    .string({ error: 'must be a string' })
    .regex(/^0x(?:[0-9a-fA-F]{2})*$/, { error: 'must be 0x and an even number of hexadecimal digits' })
    .describe('0x and hexadecimal digits, instead of the function')
    .optional(),
  amount: amount.describe('native tokens that the call sends to the contract, a decimal string').optional(),
  fee: fee.optional(),
  /** For the user's approval. It has no effect on developer wallets. */
  deadline: deadline.optional(),
});

export type ExecuteContractInput = z.output<typeof ExecuteContractInput>;

export type ExecuteContractResult = TransactionResult;

/** Calls a contract from a developer wallet, or from a user's wallet after the user has approved. */
export const executeContract = defineFlow<ExecuteContractResult>()({
  input: ExecuteContractInput,
  check: (input) => [
    ...sourceProblems(input.from),
    ...blockchainProblems(input.from),
    ...callProblems(input),
    ...feeProblems(input.fee),
  ],
});

type Problems = readonly (readonly [field: string, problem: string])[];

/** The blockchain of a wallet that is named by its id is known only after a read. */
function blockchainProblems({ blockchain }: Source): Problems {
  if (blockchain === undefined || CONTRACT_BLOCKCHAINS.includes(blockchain)) return [];
  return [['from.blockchain', `has no contracts that the API calls; use one of ${CONTRACT_BLOCKCHAINS.join(', ')}`]];
}

type Call = Pick<ExecuteContractInput, 'abiFunctionSignature' | 'abiParameters' | 'callData'>;

function callProblems({ abiFunctionSignature, abiParameters, callData }: Call): Problems {
  const problem = jsonProblem(abiParameters, ['abiParameters']);
  if (problem) return [[problem.path.join('.'), problem.problem]];
  if (callData !== undefined && (abiFunctionSignature !== undefined || abiParameters !== undefined)) {
    const both = 'cannot be combined with `abiFunctionSignature` and `abiParameters`; give one of the two forms';
    return [['callData', both]];
  }
  if (callData === undefined && abiFunctionSignature === undefined) {
    const neither = 'is missing; give it with `abiParameters`, or give `callData`';
    return [['abiFunctionSignature', neither]];
  }
  const size = jsonBytes({ abiFunctionSignature, abiParameters, callData });
  if (size <= MAX_CALL_BYTES) return [];
  const field = callData === undefined ? 'abiParameters' : 'callData';
  return [[field, `the call has ${size} bytes; reduce it to ${MAX_CALL_BYTES} or less`]];
}
