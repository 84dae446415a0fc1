import { z } from 'zod';
import { ApiErrorResponse } from '../errors/apiErrorResponse';
import type { ChallengeType, UserRow } from './rows';

const pin = z.string().regex(/^\d{6}$/);

/** What a user with a PIN enters to approve a challenge. */
const FIELDS = {
  /** The current PIN. */
  pin,
  newPin: pin,
  /** At least two, all different. */
  questions: z
    .array(z.strictObject({ question: z.string().min(1), answer: z.string().min(1) }))
    .min(2)
    .refine((list) => new Set(list.map(({ question }) => question)).size === list.length),
  /** In the order of the questions. */
  answers: z.array(z.string()).min(1),
};
type Field = keyof typeof FIELDS;
export type ApprovalContent = { [F in Field]?: z.output<(typeof FIELDS)[F]> };

interface FieldRules {
  required: readonly Field[];
  /** Fields that may be present. */
  optional?: readonly Field[];
}

/** Fields of users with a PIN, for challenges that need more than the PIN. Users without a PIN confirm and enter nothing. */
const FIELD_RULES: Partial<Record<ChallengeType, FieldRules>> = {
  INITIALIZE: { required: ['newPin', 'questions'] },
  SET_PIN: { required: ['newPin'], optional: ['questions'] },
  CHANGE_PIN: { required: ['pin', 'newPin'] },
  RESTORE_PIN: { required: ['answers', 'newPin'] },
  SET_SECURITY_QUESTIONS: { required: ['pin', 'questions'] },
};
const PIN_ALONE: FieldRules = { required: ['pin'] };
const NOTHING: FieldRules = { required: [] };

function fieldRulesFor({ login }: UserRow, type: ChallengeType): FieldRules {
  if (login.kind !== 'pin') return NOTHING;
  return FIELD_RULES[type] ?? PIN_ALONE;
}

/** What the user has to enter. */
export function requiredFields(user: UserRow, type: ChallengeType): readonly Field[] {
  return fieldRulesFor(user, type).required;
}

/**
 * Validates what the user entered. The API's codes treat the PIN as the approval and the other fields as extra information.
 * @throws ApiErrorResponse 155117 the PIN is missing or malformed, or a field does not belong to the challenge, 155123
 *   extra information is missing, 155124 it is malformed
 */
export function parseContent(user: UserRow, type: ChallengeType, entered: Record<string, unknown>): ApprovalContent {
  const { required, optional = [] } = fieldRulesFor(user, type);
  const fields = Object.keys(entered).filter((name) => entered[name] !== undefined);
  if (fields.some((name) => !required.includes(name as Field) && !optional.includes(name as Field)))
    throw new ApiErrorResponse(155117);
  for (const field of required) {
    if (entered[field] === undefined) throw new ApiErrorResponse(field === 'pin' ? 155117 : 155123);
  }
  return Object.fromEntries(
    (fields as Field[]).map((field) => {
      const { success, data } = FIELDS[field].safeParse(entered[field]);
      if (!success) throw new ApiErrorResponse(field === 'pin' ? 155117 : 155124);
      return [field, data];
    }),
  );
}
