import { FormButton } from '../buttons.js';
import type { Newest } from '../overview.js';
import type { DeviceView, LoginAnswer } from '../overviewOfPeople.js';
import { Actions, Section, Short, Table, Time } from '../widgets.js';
import { useWorld } from '../world.js';
import { loginResult } from './loginResult.js';

const PROVIDERS = ['Google', 'Facebook', 'Apple'].map((name) => ({ value: name, label: name }));
const OUTCOMES = [
  { value: 'valid', label: 'The provider knows the user' },
  { value: 'expired', label: "The provider's token has expired" },
  { value: 'invalid', label: "The provider's token is not valid" },
];

export function SocialLogins({ devices: { shown, count } }: { devices: Newest<DeviceView> }) {
  return (
    <Section
      id="social"
      title="Social logins"
      count={count}
      empty="No device waits for a login. One comes with POST /users/social/token, for ten minutes."
    >
      <Table columns={['Device', 'Token expires']} shown={shown.length} count={count}>
        {shown.map((device) => (
          <Row key={device.deviceId} device={device} />
        ))}
      </Table>
    </Section>
  );
}

function Row({ device: { deviceId, deviceToken, expireDate } }: { device: DeviceView }) {
  const { act, show } = useWorld();
  return (
    <tr>
      <td>
        <Short text={deviceId} />
      </td>
      <td data-label="Token expires">
        <Time at={expireDate} />
      </td>
      <Actions>
        <FormButton
          main
          label={`Log in on device ${deviceId}`}
          title="The user comes back from the provider"
          submit="Log in"
          fields={[
            { name: 'provider', label: 'Provider', options: PROVIDERS },
            { name: 'account', label: 'Account', value: 'anna', hint: 'One user an account.' },
            { name: 'ssoToken', label: 'Outcome', options: OUTCOMES },
          ]}
          run={async (values) => {
            const body = { ...values, deviceToken };
            show(loginResult(await act<LoginAnswer>(`${values.account} has logged in`, 'POST', '/socialLogin', body)));
          }}
        >
          Log in
        </FormButton>
      </Actions>
    </tr>
  );
}
