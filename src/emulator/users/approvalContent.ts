import { z } from 'zod';
import { Refusal } from '../refusal';
import type { ChallengeType, UserRow } from './rows';

const pin = z.string().regex(/^\d{6}$/);

/** What a client's SDK sends to approve a challenge, as a user with a PIN enters it. */
const FIELDS = {
  /** The current PIN. */
  pin,
  newPin: pin,
  /** Two at least, each once. */
  questions: z
    .array(z.strictObject({ question: z.string().min(1), answer: z.string().min(1) }))
    .min(2)
    .refine((list) => new Set(list.map(({ question }) => question)).size === list.length),
  /** In the order of the questions. */
  answers: z.array(z.string()).min(1),
};
type Field = keyof typeof FIELDS;
export type ApprovalContent = { [F in Field]?: z.output<(typeof FIELDS)[F]> };

interface Wanted {
  needs: readonly Field[];
  /** What may come with it. */
  takes?: readonly Field[];
}

/** Of users with a PIN, where it is more than the PIN; the others confirm, and enter nothing. */
const WANTED: Partial<Record<ChallengeType, Wanted>> = {
  INITIALIZE: { needs: ['newPin', 'questions'] },
  SET_PIN: { needs: ['newPin'], takes: ['questions'] },
  CHANGE_PIN: { needs: ['pin', 'newPin'] },
  RESTORE_PIN: { needs: ['answers', 'newPin'] },
  SET_SECURITY_QUESTIONS: { needs: ['pin', 'questions'] },
};
const PIN_ALONE: Wanted = { needs: ['pin'] };
const NOTHING: Wanted = { needs: [] };

function wantedFor({ login }: UserRow, type: ChallengeType): Wanted {
  if (login.by !== 'pin') return NOTHING;
  return WANTED[type] ?? PIN_ALONE;
}

/** What the user has to enter. */
export function entriesFor(user: UserRow, type: ChallengeType): readonly Field[] {
  return wantedFor(user, type).needs;
}

/**
 * The PIN is the approval itself, the rest its extra information.
 * @throws Refusal 155117 no PIN, a malformed one, or something that does not belong to the challenge, 155123 extra
 *   information is missing, 155124 it is malformed
 */
export function readContent(user: UserRow, type: ChallengeType, given: Record<string, unknown>): ApprovalContent {
  const { needs, takes = [] } = wantedFor(user, type);
  const fields = Object.keys(given).filter((name) => given[name] !== undefined);
  if (fields.some((name) => !needs.includes(name as Field) && !takes.includes(name as Field)))
    throw new Refusal(155117);
  for (const field of needs) {
    if (given[field] === undefined) throw new Refusal(field === 'pin' ? 155117 : 155123);
  }
  return Object.fromEntries(
    (fields as Field[]).map((field) => {
      const { success, data } = FIELDS[field].safeParse(given[field]);
      if (!success) throw new Refusal(field === 'pin' ? 155117 : 155124);
      return [field, data];
    }),
  );
}
