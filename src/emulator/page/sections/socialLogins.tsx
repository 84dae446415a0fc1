import { FormButton } from '../buttons.js';
import type { Newest } from '../overview.js';
import type { DeviceView, LoginResponse } from '../userViews.js';
import { Actions, Section, Table, Time, Truncated } from '../widgets.js';
import { useWorld } from '../world.js';
import { loginResult } from './loginResult.js';

const PROVIDERS = ['Google', 'Facebook', 'Apple'].map((name) => ({ value: name, label: name }));
const OUTCOMES = [
  { value: 'valid', label: 'The provider knows the user' },
  { value: 'expired', label: "The provider's token has expired" },
  { value: 'invalid', label: "The provider's token is invalid" },
];

export function SocialLogins({ devices: { shown, count } }: { devices: Newest<DeviceView> }) {
  return (
    <Section
      id="social"
      title="Social logins"
      count={count}
      empty="No device waits for a login. POST /users/social/token creates a token for a device, valid for ten minutes."
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
  const { runControl, show } = useWorld();
  return (
    <tr>
      <td>
        <Truncated text={deviceId} />
      </td>
      <td data-label="Token expires">
        <Time at={expireDate} />
      </td>
      <Actions>
        <FormButton
          main
          label={`Log in on device ${deviceId}`}
          title="The user returns from the provider"
          submit="Log in"
          fields={[
            { name: 'provider', label: 'Provider', options: PROVIDERS },
            { name: 'account', label: 'Account', value: 'anna', hint: 'Each account is one user.' },
            { name: 'ssoToken', label: 'Outcome', options: OUTCOMES },
          ]}
          run={async (values) => {
            const body = { ...values, deviceToken };
            show(
              loginResult(
                await runControl<LoginResponse>(`${values.account} has logged in`, 'POST', '/socialLogin', body),
              ),
            );
          }}
        >
          Log in
        </FormButton>
      </Actions>
    </tr>
  );
}
