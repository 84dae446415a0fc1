import type { Progress } from 'walletflow';

/** What a front end does to have its user approve, in the place where the flow waits for that. */
const lines = (userId: string) => `import { W3SSdk } from '@circle-fin/w3s-pw-web-sdk';

const answer = await fetch('/onboardings/${userId}/approval', { method: 'POST' });
const { appId, userToken, encryptionKey, challengeId } = await answer.json();

const sdk = new W3SSdk({ appSettings: { appId } });
await sdk.getDeviceId(); // without it the calls below do nothing
sdk.setAuthentication({ userToken, encryptionKey });
sdk.execute(challengeId, (error) => {
  if (error) {
    fetch('/onboardings/${userId}/client-error', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: \`Bearer \${login}\` }, // of your own login
      body: JSON.stringify({ code: error.code }),
    });
  }
});`;

/**
 * A page in place of a front end. The SDK's frame has one fixed host, the API's own, and so no way to the emulator: there the
 * emulator's own page plays the user.
 */
export function approvalPage(userId: string, { approval, outcome, waitingFor }: Progress): string {
  const state = approval
    ? `The user is asked to approve <b>${escaped(approval.type)}</b> (challenge ${escaped(approval.challengeId)}).`
    : `Nothing is to be approved: ${escaped(outcome ? `the flow is ${outcome.status}` : (waitingFor ?? 'it is at work'))}.`;
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>Onboarding of ${escaped(userId)}</title>
  <h1>Onboarding of ${escaped(userId)}</h1>
  <p>${state}</p>
  <h2>In your front end</h2>
  <pre>${escaped(lines(encodeURIComponent(userId)))}</pre>
  <p>
    The SDK shows a frame whose host is fixed: the API's own. With the emulator, open the emulator's page (<code>/emulator</code>
    at its address) and approve there, as the user.
  </p>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
