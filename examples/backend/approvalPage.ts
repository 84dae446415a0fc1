import type { Progress } from 'walletflow';

/** Front-end code that lets the user approve a challenge while the flow waits for the approval. */
const frontEndSnippet = (userId: string) => `import { W3SSdk } from '@circle-fin/w3s-pw-web-sdk';

const response = await fetch('/onboardings/${userId}/approval', { method: 'POST' });
const { appId, userToken, encryptionKey, challengeId } = await response.json();

const sdk = new W3SSdk({ appSettings: { appId } });
await sdk.getDeviceId(); // without this call, the calls below have no effect
sdk.setAuthentication({ userToken, encryptionKey });
sdk.execute(challengeId, (error) => {
  if (error) {
    fetch('/onboardings/${userId}/client-error', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: \`Bearer \${loginToken}\` }, // from your own login
      body: JSON.stringify({ code: error.code }),
    });
  }
});`;

/**
 * A page instead of a front end. The SDK's frame uses a fixed host of the API and cannot reach the emulator. With the emulator,
 * approve on the emulator's page instead.
 */
export function approvalPage(userId: string, { approval, outcome, waitingFor }: Progress): string {
  const state = approval
    ? `The user has to approve <b>${escaped(approval.type)}</b> (challenge ${escaped(approval.challengeId)}).`
    : `Nothing to approve: the flow ${escaped(outcome ? `is ${outcome.status}` : waitingFor ? `waits for ${waitingFor}` : 'is running')}.`;
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>Onboarding of ${escaped(userId)}</title>
  <h1>Onboarding of ${escaped(userId)}</h1>
  <p>${state}</p>
  <h2>In your front end</h2>
  <pre>${escaped(frontEndSnippet(encodeURIComponent(userId)))}</pre>
  <p>
    The SDK shows a frame with a fixed host of the API. With the emulator, open the emulator's page (<code>/emulator</code> at
    its address) and approve there as the user.
  </p>
</html>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!);
