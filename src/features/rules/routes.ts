import { documentRoutes } from '../documents/routes.ts'
import { rulesDocument } from './changes.ts'
import { RuleSetBody, ruleSetFrom } from './record.ts'

export const ruleRoutes = documentRoutes(rulesDocument, {
  path: '/v2/liquidation-rules',
  tag: 'Liquidation rules',
  body: RuleSetBody,
  from: ruleSetFrom,
  scopes: { read: 'rules:read', write: 'rules:write' },
  get: { operationId: 'getRules', summary: 'Get the rule set in force' },
  replace: {
    operationId: 'replaceRules',
    summary: 'Write the next version of the rule set; deposits opened earlier keep theirs',
  },
  version: { operationId: 'getRulesVersion', summary: 'Get one version of the rule set' },
  shown: 'The liquidation rules.',
  replaced: 'The liquidation rules were replaced.',
  missing: 'rules_version_not_found',
})
