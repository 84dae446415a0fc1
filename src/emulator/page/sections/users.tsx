import { ActionButton } from '../buttons.js';
import type { Newest } from '../overview.js';
import type { CredentialView, UserView } from '../userViews.js';
import { Actions, Section, State, Table, Time } from '../widgets.js';
import { useWorld } from '../world.js';

export function Users({ users: { shown, count } }: { users: Newest<UserView> }) {
  return (
    <Section
      id="users"
      title="Users"
      count={count}
      empty="None yet. POST /users and the first login of an address or account create users."
    >
      <Table columns={['User', 'Status', 'PIN', 'Security questions']} shown={shown.length} count={count}>
        {shown.map((user) => (
          <Row key={user.id} user={user} />
        ))}
      </Table>
    </Section>
  );
}

function Row({ user: { id, login, status, pin, securityQuestions, createDate } }: { user: UserView }) {
  const { runControl } = useWorld();
  const path = `/users/${encodeURIComponent(id)}`;
  const disabled = status === 'DISABLED';
  return (
    <tr>
      <td>
        <strong class="id">{id}</strong>
        <small>{login === 'PIN' ? 'approves with a PIN' : `logs in as ${login}`}</small>
        <small>
          <Time at={createDate} />
        </small>
      </td>
      <td data-label="Status">
        <State state={status} />
      </td>
      <td data-label="PIN">
        <Input input={pin} />
      </td>
      <td data-label="Security questions">
        <Input input={securityQuestions} />
      </td>
      <Actions>
        <ActionButton
          label={`${disabled ? 'Enable' : 'Disable'} ${id}`}
          run={() =>
            disabled
              ? runControl('User enabled', 'POST', `${path}/enable`)
              : runControl('User disabled', 'POST', `${path}/disable`)
          }
        >
          {disabled ? 'Enable' : 'Disable'}
        </ActionButton>
        <Lock input={pin} path={`${path}/pin`} noun="PIN" userId={id} />
        <Lock input={securityQuestions} path={`${path}/securityQuestions`} noun="answers" userId={id} />
        {pin.status !== 'UNSET' && securityQuestions.status === 'UNSET' && (
          <ActionButton
            label={`Request security questions from ${id}`}
            run={() => runControl('Security questions requested', 'POST', `${path}/securityQuestions`)}
          >
            Request questions
          </ActionButton>
        )}
      </Actions>
    </tr>
  );
}

function Input({ input: { status, failedAttempts, lockedUntil } }: { input: CredentialView }) {
  return (
    <>
      <State state={status} />
      {lockedUntil && (
        <small>
          until <Time at={lockedUntil} />
        </small>
      )}
      {!lockedUntil && failedAttempts > 0 && <small>{failedAttempts} wrong</small>}
    </>
  );
}

function Lock({ input, path, noun, userId }: { input: CredentialView; path: string; noun: string; userId: string }) {
  const { runControl } = useWorld();
  if (input.status === 'UNSET') return null;
  const locked = input.status === 'LOCKED';
  return (
    <ActionButton
      label={`${locked ? 'Unlock' : 'Lock'} ${noun} of ${userId}`}
      run={() =>
        locked
          ? runControl(`Unlocked the ${noun}`, 'POST', `${path}/unlock`)
          : runControl(`Locked the ${noun} for 30 minutes`, 'POST', `${path}/lock`)
      }
    >
      {locked ? 'Unlock' : 'Lock'} {noun}
    </ActionButton>
  );
}
