/** Runs before the page is drawn, so that nothing moves or changes colour when the other script arrives. */
{
  const { classList, dataset } = document.documentElement
  classList.add('js')
  const theme = localStorage.getItem('theme')
  if (theme !== null) dataset.theme = theme
}
