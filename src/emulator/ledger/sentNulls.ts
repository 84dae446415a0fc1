import { z } from 'zod';
import { isSentAsNull } from '../../api/contract/schema';

/** Adds null for every field that the API sends as null (`orNull` in the contract) and that has no value. */
export function withSentNulls(schema: z.ZodType, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  if (schema instanceof z.ZodOptional) return withSentNulls(schema.unwrap() as z.ZodType, value);
  if (schema instanceof z.ZodUnion) {
    const option = (schema.options as z.ZodType[]).find((one) => one.safeParse(value).success);
    return option ? withSentNulls(option, value) : value;
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((element) => withSentNulls(schema.element as z.ZodType, element));
  }
  if (!(schema instanceof z.ZodObject)) return value;
  const filled = { ...(value as Record<string, unknown>) };
  for (const [name, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
    if (filled[name] !== undefined) filled[name] = withSentNulls(field, filled[name]);
    else if (isSentAsNull(field)) filled[name] = null;
  }
  return filled;
}
