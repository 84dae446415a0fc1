import { ActionButton, FormButton } from '../buttons.js';
import { ControlError } from '../control.js';
import type { ChallengeView } from '../userViews.js';
import { humanize } from '../widgets.js';
import { useWorld } from '../world.js';
import { approveBody, fieldsOf } from './challengeInputs.js';
import { CLIENT_ERRORS } from './clientErrors.js';

/** The response of the control `approve`: what the client receives. */
interface ApproveResponse {
  type: string;
  status: string;
  /** Only for signatures. */
  data?: Record<string, string>;
}

export function ChallengeActions({ challenge }: { challenge: ChallengeView }) {
  const { runControl, showError, show } = useWorld();
  const { id, userId, type, needs } = challenge;
  const path = `/challenges/${id}`;
  const description = `${humanize(type)} of ${userId}`;
  const approve = async (content: object) => {
    const { data } = await runControl<ApproveResponse>(
      `${userId} has approved: ${humanize(type)}`,
      'POST',
      `${path}/approve`,
      content,
    );
    if (!data) return;
    const texts = Object.entries(data).map(([label, text]) => ({ label, text }));
    show({ title: 'What the client receives', texts });
  };
  /** The control always responds with the error that the client would report. */
  const report = async ({ code }: Record<string, string>) => {
    const error = CLIENT_ERRORS.find((row) => row.value === code);
    await runControl('', 'POST', `${path}/client-error`, { code: Number(code), message: error?.label }).catch(
      (caught: unknown) => {
        if (!(caught instanceof ControlError) || caught.code !== Number(code)) throw caught;
        showError(new Error(`The client reports ${caught.message}; the challenge stays pending`));
      },
    );
  };
  return (
    <>
      {needs.length === 0 ? (
        <ActionButton main label={`Approve ${description}`} run={() => approve({})}>
          Approve
        </ActionButton>
      ) : (
        <FormButton
          main
          label={`Approve ${description}`}
          title={`${userId} approves: ${humanize(type)}`}
          submit="Approve"
          fields={fieldsOf(challenge)}
          run={(values) => approve(approveBody(challenge, values))}
        >
          Approve
        </FormButton>
      )}
      <ActionButton
        label={`Reject ${description}`}
        run={() => runControl('Challenge rejected', 'POST', `${path}/reject`)}
      >
        Reject
      </ActionButton>
      <ActionButton
        label={`Expire ${description}`}
        run={() => runControl('Challenge expired', 'POST', `${path}/expire`)}
      >
        Expire
      </ActionButton>
      <FormButton
        label={`Client error for ${description}`}
        title="The client fails before it calls the API"
        submit="Fail"
        fields={[{ name: 'code', label: 'Error', options: CLIENT_ERRORS }]}
        run={report}
      >
        Client error
      </FormButton>
    </>
  );
}
