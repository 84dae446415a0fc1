import { entriesOf } from '../entry';

/** Email and sign-in configuration of the entity (155150–155160). */
// prettier-ignore
export const AUTH_CONFIGURATION_ERRORS = entriesOf([
  [155150, 'SmtpConfigurationMissing', 404, 'attention', 'No SMTP server is configured', 'add the SMTP configuration in the console'],
  [155151, 'SmtpConfigurationInvalid', 400, 'attention', 'The SMTP configuration is unusable', 'correct the SMTP configuration in the console'],
  [155152, 'SsoConfigurationMissing', 404, 'attention', 'The SSO provider is not configured', 'add the SSO provider in the console'],
  [155154, 'EmailTemplateInvalid', 400, 'attention', 'The OTP email template is unusable', 'correct the OTP email template in the console'],
  [155155, 'EmailTemplateMissing', 404, 'attention', 'The entity has no OTP email template', 'add an OTP email template in the console'],
  [155156, 'EmailTemplateUpdateFailed', 400, 'attention', 'The OTP email template could not be saved', 'check the content of the template, then save it again'],
  [155157, 'SmtpUpdateFailed', 400, 'attention', 'The SMTP configuration could not be saved', 'check host, port and credentials, then save it again'],
  // Known only from the official SDKs. Their status is not published; 400 is assumed.
  [155158, 'SmtpConnectFailed', 400, 'attention', 'The SMTP server cannot be reached', 'check host and port of the SMTP server'],
  [155159, 'SmtpLoginFailed', 400, 'attention', 'The SMTP server refused the login', 'check the SMTP user name and password'],
  [155160, 'SmtpSendFailed', 400, 'attention', 'The SMTP server did not accept the email', 'check sender address and quota at the SMTP server'],
]);
