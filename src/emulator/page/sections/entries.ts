import type { Field } from '../field.js';
import type { ChallengeView, Entry } from '../overviewOfPeople.js';

interface EntryForm {
  name: string;
  fields: (challenge: ChallengeView) => readonly Field[];
  content: (values: Record<string, string>, challenge: ChallengeView) => unknown;
}

const QUESTIONS = ['Name of the first pet?', 'Name of the first school?'];

/** What each entry of an approval is asked for with, and what the control takes of it. */
const FORMS: Record<Entry, EntryForm> = {
  pin: {
    name: 'PIN',
    fields: () => [{ name: 'pin', label: 'PIN', inputMode: 'numeric' }],
    content: ({ pin }) => pin,
  },
  newPin: {
    name: 'new PIN',
    fields: () => [{ name: 'newPin', label: 'New PIN', inputMode: 'numeric', hint: 'Six digits.' }],
    content: ({ newPin }) => newPin,
  },
  questions: {
    name: 'security questions with answers',
    fields: () =>
      QUESTIONS.flatMap((question, n) => [
        { name: `question${n}`, label: `Security question ${n + 1}`, value: question },
        { name: `answer${n}`, label: `Answer ${n + 1}` },
      ]),
    content: (values) =>
      QUESTIONS.map((_question, n) => ({ question: values[`question${n}`], answer: values[`answer${n}`] })),
  },
  answers: {
    name: 'answers to the security questions',
    fields: ({ questions }) => questions.map((question, n) => ({ name: `answer${n}`, label: question })),
    content: (values, { questions }) => questions.map((_question, n) => values[`answer${n}`]),
  },
};

export function entriesOf(needs: readonly Entry[]): string {
  return needs.length === 0 ? 'nothing' : needs.map((entry) => FORMS[entry].name).join(', ');
}

export function fieldsOf(challenge: ChallengeView): Field[] {
  return challenge.needs.flatMap((entry) => FORMS[entry].fields(challenge));
}

/** The body of `approve`. */
export function contentOf(challenge: ChallengeView, values: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(challenge.needs.map((entry) => [entry, FORMS[entry].content(values, challenge)]));
}
