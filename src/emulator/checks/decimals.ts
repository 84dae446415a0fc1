import { countDecimals } from '../../domain/money';
import { ApiErrorResponse } from '../errors/apiErrorResponse';

/**
 * Checks that a decimal can be written in base units. Zeros at its end do not count.
 * @param most what allows how many decimals: `the token has`, `gwei have`
 * @throws ApiErrorResponse `code`, with a message that names the field and both numbers
 */
export function requireDecimals(
  text: string,
  decimals: number,
  { code, field, most }: { code: number; field: string; most: string },
): void {
  const given = countDecimals(text);
  if (given > decimals)
    throw new ApiErrorResponse(code, { message: `${field} has ${given} decimals, but ${most} ${decimals}` });
}
