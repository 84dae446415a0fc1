import type { Field } from '../field.js';
import type { ChallengeInput, ChallengeView } from '../userViews.js';

interface ChallengeInputForm {
  name: string;
  fields: (challenge: ChallengeView) => readonly Field[];
  content: (values: Record<string, string>, challenge: ChallengeView) => unknown;
}

const QUESTIONS = ['Name of the first pet?', 'Name of the first school?'];

/** The form fields of each challenge input, and the content that the control accepts. */
const FORMS: Record<ChallengeInput, ChallengeInputForm> = {
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

export function inputNames(needs: readonly ChallengeInput[]): string {
  return needs.length === 0 ? 'none' : needs.map((input) => FORMS[input].name).join(', ');
}

export function fieldsOf(challenge: ChallengeView): Field[] {
  return challenge.needs.flatMap((input) => FORMS[input].fields(challenge));
}

/** The body of `approve`. */
export function approveBody(challenge: ChallengeView, values: Record<string, string>): Record<string, unknown> {
  return Object.fromEntries(challenge.needs.map((input) => [input, FORMS[input].content(values, challenge)]));
}
