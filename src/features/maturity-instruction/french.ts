export const french = {
  title: 'À l’échéance',
  label: 'Ce que devient le dépôt',
  submit: 'Modifier',
}
