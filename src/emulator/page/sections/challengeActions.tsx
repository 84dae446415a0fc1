import { ActionButton, FormButton } from '../buttons.js';
import { ControlError } from '../control.js';
import type { ChallengeView } from '../overviewOfPeople.js';
import { words } from '../widgets.js';
import { useWorld } from '../world.js';
import { CLIENT_ERRORS } from './clientErrors.js';
import { contentOf, fieldsOf } from './entries.js';

/** What the client gets for an approval. */
interface Approval {
  type: string;
  status: string;
  /** Of a signature. */
  data?: Record<string, string>;
}

export function ChallengeActions({ challenge }: { challenge: ChallengeView }) {
  const { act, complain, show } = useWorld();
  const { id, userId, type, needs } = challenge;
  const path = `/challenges/${id}`;
  const what = `${words(type)} of ${userId}`;
  const approve = async (content: object) => {
    const { data } = await act<Approval>(`${userId} has approved: ${words(type)}`, 'POST', `${path}/approve`, content);
    if (!data) return;
    const texts = Object.entries(data).map(([label, text]) => ({ label, text }));
    show({ title: 'What the client gets', texts });
  };
  /** The control answers with what the client would report, which is a refusal always. */
  const report = async ({ code }: Record<string, string>) => {
    const error = CLIENT_ERRORS.find((row) => row.value === code);
    await act('', 'POST', `${path}/client-error`, { code: Number(code), message: error?.label }).catch(
      (told: unknown) => {
        if (!(told instanceof ControlError) || told.code !== Number(code)) throw told;
        complain(new Error(`The client reports ${told.message}; the challenge still waits`));
      },
    );
  };
  return (
    <>
      {needs.length === 0 ? (
        <ActionButton main label={`Approve ${what}`} run={() => approve({})}>
          Approve
        </ActionButton>
      ) : (
        <FormButton
          main
          label={`Approve ${what}`}
          title={`${userId} approves: ${words(type)}`}
          submit="Approve"
          fields={fieldsOf(challenge)}
          run={(values) => approve(contentOf(challenge, values))}
        >
          Approve
        </FormButton>
      )}
      <ActionButton label={`Reject ${what}`} run={() => act('The user has declined', 'POST', `${path}/reject`)}>
        Reject
      </ActionButton>
      <ActionButton label={`Expire ${what}`} run={() => act('The challenge is over', 'POST', `${path}/expire`)}>
        Expire
      </ActionButton>
      <FormButton
        label={`Client error for ${what}`}
        title="The client fails before it asks the API"
        submit="Fail"
        fields={[{ name: 'code', label: 'Error', options: CLIENT_ERRORS }]}
        run={report}
      >
        Client error
      </FormButton>
    </>
  );
}
