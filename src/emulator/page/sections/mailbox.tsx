import { FormButton } from '../buttons.js';
import type { Newest } from '../overview.js';
import type { LoginResponse, MailView } from '../userViews.js';
import { Actions, Section, State, Table, Time } from '../widgets.js';
import { useWorld } from '../world.js';
import { loginResult } from './loginResult.js';

export function Mailbox({ mails: { shown, count } }: { mails: Newest<MailView> }) {
  return (
    <Section
      id="mailbox"
      title="Mailbox"
      count={count}
      empty="No emails yet. POST /users/email/token sends one-time passwords."
    >
      <Table columns={['To', 'One-time password', 'State', 'Sent']} shown={shown.length} count={count}>
        {shown.map((mail) => (
          <Row key={mail.id} mail={mail} />
        ))}
      </Table>
    </Section>
  );
}

function Row({ mail: { to, code, sentDate, state, otpToken, deviceToken } }: { mail: MailView }) {
  const { runControl, show } = useWorld();
  return (
    <tr>
      <td>{to}</td>
      <td data-label="One-time password">
        <code>{code}</code>
      </td>
      <td data-label="State">
        <State state={state} />
      </td>
      <td data-label="Sent">
        <Time at={sentDate} />
      </td>
      <Actions>
        {state === 'GOOD' && (
          <FormButton
            main
            label={`Log in as ${to} with ${code}`}
            title={`${to} enters a one-time password`}
            submit="Log in"
            fields={[
              { name: 'otp', label: 'One-time password', value: code, inputMode: 'numeric', hint: 'As sent by email.' },
            ]}
            run={async ({ otp }) => {
              const body = { deviceToken, otpToken, otp };
              show(loginResult(await runControl<LoginResponse>(`${to} has logged in`, 'POST', '/otp/verify', body)));
            }}
          >
            Log in
          </FormButton>
        )}
      </Actions>
    </tr>
  );
}
