import { isLoopback, parseUrl } from './url';

/** Where an entity's flows tell the integrator what becomes of them. */
export interface EventEndpoint {
  url: string;
  /** `whsec_` and 24 to 64 bytes in base64, as Standard Webhooks writes a secret. */
  secret: string;
  /** Whether each step is told too. */
  steps?: boolean;
}

const SECRET = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;
const SECRET_BYTES = { least: 24, most: 64 };
const MAKE_ONE = 'Make one with: echo "whsec_$(openssl rand -base64 32)"';

/** Whether a text has the form of a secret, and with it of something that is not to be shown. */
export function isEventSecret(text: string): boolean {
  const bytes = Buffer.from(SECRET.exec(text)?.[1] ?? '', 'base64').length;
  return bytes >= SECRET_BYTES.least && bytes <= SECRET_BYTES.most;
}

/** What is wrong with an endpoint, a line each: `field: what is wrong. Remedy`. @param api origin of the entity's API */
export function checkEventEndpoint({ url, secret }: EventEndpoint, api: string): string[] {
  const problems = eventUrlProblem(url, api);
  return [
    ...(problems ? [`events.url: ${problems}`] : []),
    ...(isEventSecret(secret) ? [] : [`events.secret: is not whsec_ and 24 to 64 bytes in base64. ${MAKE_ONE}`]),
  ];
}

/** What is wrong with the URL of an endpoint. @param api origin of the entity's API */
export function eventUrlProblem(text: string, api: string): string | undefined {
  const url = parseUrl(text);
  if (!url) return 'is not a URL. Write it like https://backend.example/walletflow-events';
  if (url.username || url.password || url.hash) return 'holds credentials or a fragment. Leave them out';
  const local = isLoopback(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) {
    return `${url.origin} is not https. Only hosts on this machine may be reached by http`;
  }
  if (!local && isLoopback(api)) {
    return `${url.origin} is not on this machine, but the entity's API is: what plays here is told to nobody else. Use a URL on this machine`;
  }
  return undefined;
}
