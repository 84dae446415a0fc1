import { z } from 'zod';
import { FEE_RULES } from '../api/contract/rules';
import { FEE_LEVELS } from '../domain/policy';
import { ruleProblem } from './ruleProblem';

const digits = z.string({ error: 'must be a string of digits' }).describe('string of digits');
const gwei = z.string({ error: 'must be a decimal string' }).describe('decimal string, in gwei');

/** Replaces the policy's fee level. Its maximum fee still applies. */
export const fee = z.strictObject({
  feeLevel: z.enum(FEE_LEVELS, { error: `must be one of ${FEE_LEVELS.join(', ')}` }).optional(),
  gasLimit: digits.optional(),
  gasPrice: gwei.optional(),
  maxFee: gwei.optional(),
  priorityFee: gwei.optional(),
});

export function feeProblems(
  choice: z.output<typeof fee> | undefined,
): readonly (readonly [field: string, problem: string])[] {
  const problem = choice && ruleProblem(FEE_RULES, choice);
  return problem ? [['fee', problem]] : [];
}
